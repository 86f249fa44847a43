"""The fast form of the record decoder: values only, `Stop` at anything malformed."""

from streamshark.decoding.code_printer import FORMATS, CodePrinter, given, part_expression, sums
from streamshark.decoding.protobuf import table_of
from streamshark.schema import nodes
from streamshark.schema.text_lines import MAX_DIGITS


class RecordBuilder:
    """The record being filled in fast: a display as long as all members are there, then a name."""

    def __init__(self, node: nodes.Node) -> None:
        self.variable = f"o{node.id}"
        self.pairs: list[tuple[str, str]] = []
        self.named = False


class StrictPrinter(CodePrinter):
    """Values only; raises `Stop` at anything malformed."""

    name = "fast"
    """Of the function that is printed."""
    head = "    p = 0; e = len(b)"
    """Its first line."""

    def __init__(self, tree: nodes.Tree) -> None:
        super().__init__(tree)
        self.run: list[tuple[str, str | None]] = []
        """Fixed pieces waiting to be read in one go: struct format, variable (None to skip)."""
        self.run_size = 0
        self.after: list[str] = []
        """Statements that use what the run reads."""
        self.out = RecordBuilder(tree.root)
        self.sums = list(dict.fromkeys(sums(tree)))
        """What is added up over the items of lists while they are read; `t<index>` holds it."""

    def print(self) -> str:
        """Return the function's text."""
        self.lines.append(self.head)
        self.members(self.tree.root.members)
        self.flush()
        result = self.finish()
        self.line("if p != e: raise Stop")
        self.drop_hidden(result)
        self.line(f"return {result}")
        return "\n".join([f"def {self.name}(b):", *self.lines, ""])

    # The run of fixed pieces

    def fixed(self, form: str, size: int, variable: str | None) -> None:
        """Add a piece to the run."""
        self.run.append((form, variable))
        self.run_size += size

    def flush(self) -> None:
        """Read what is waiting."""
        if self.run:
            self.read_run()
        for statement in self.after:
            self.line(statement)
        self.after.clear()

    def read_run(self) -> None:
        """One bounds check and one `unpack_from` for all that is waiting."""
        if self.lines == [self.head]:
            self.read_first()
            return
        self.room(self.run_size)
        self.unpack("p")
        self.advance(self.run_size)
        self.run.clear()
        self.run_size = 0

    def read_first(self) -> None:
        """Generate the first reads of the frame."""
        size = self.run_size
        self.lines[:] = [self.head.replace("p = 0; ", "")]
        if not any(variable for _, variable in self.run):
            self.line(f"if e < {size}: raise Stop")
        self.unpack("0")  # which raises where bytes are missing
        self.line(f"p = {size}")
        self.run.clear()
        self.run_size = 0

    def unpack(self, at: str) -> None:
        """Read what somebody wants of all that is waiting."""
        kept = [variable for _, variable in self.run if variable]
        form = ">" + "".join(f for f, _ in self.run)
        if kept:
            reader = self.constant("S" + "".join(c if c.isalnum() else "_" for c in form), form)
            self.line(f"{', '.join(kept)}, = {reader}(b, {at})")

    def room(self, size: int) -> None:
        """So many bytes must be left."""
        self.line(f"if e - p < {size}: raise Stop")

    def advance(self, count: int | str) -> None:
        """So many bytes are read."""
        self.line(f"p += {count}")

    # The record being filled

    def put(self, node: nodes.Node, expression: str) -> None:
        """Make `expression` the value of a node, named or not."""
        self.value[node.value] = expression
        if node.name is None or self.is_hidden(node):
            return
        if self.out.named:
            self.after.append(f"{self.out.variable}[{node.name!r}] = {expression}")
        else:
            self.out.pairs.append((node.name, expression))

    def name_record(self) -> str:
        """From here on members may be missing: make the record a variable."""
        self.flush()
        if not self.out.named:
            pairs = ", ".join(f"{name!r}: {value}" for name, value in self.out.pairs)
            self.line(f"{self.out.variable} = {{{pairs}}}")
            self.out.named = True
        return self.out.variable

    def finish(self) -> str:
        """Return the record as an expression."""
        if self.out.named:
            return self.out.variable
        return "{" + ", ".join(f"{name!r}: {value}" for name, value in self.out.pairs) + "}"

    def unused(self, node: nodes.Node) -> bool:
        """Return whether a number is never used."""
        return self.is_hidden(node) and node.value not in self.wanted

    def members(self, members: list[nodes.Node]) -> None:
        """Members one after the other."""
        for node in members:
            self.method[type(node)](node)

    def arm(self, members: list[nodes.Node]) -> None:
        """Members of a branch: nothing waits across its borders."""
        self.members(members)
        self.flush()

    # Nodes

    def integer(self, node: nodes.IntNode) -> None:
        """Add a number to the run of fixed numbers."""
        variable = f"v{node.value}"
        if self.unused(node):
            self.fixed(f"{node.size}x", node.size, None)
            return
        if node.size == 3:  # noqa: PLR2004 - the width that struct lacks
            self.fixed("BH", 3, f"{variable}h, {variable}l")
            whole = f"({variable}h << 16 | {variable}l)"
            if node.signed:
                whole = f"(({whole} ^ 0x800000) - 0x800000)"
            self.put(node, whole)
            return
        form = FORMATS[node.size]
        self.fixed(form.lower() if node.signed else form, node.size, variable)
        self.put(node, variable)

    def bits(self, node: nodes.BitsNode) -> None:
        """Generate the code for a group: one number, and its parts computed from it."""
        shown = [part for part in node.parts if part.name]
        if all(map(self.unused, shown)):
            self.fixed(f"{node.size}x", node.size, None)
            return
        group = f"v{node.value}"
        self.integer_of(node, group)
        whole = f"({group}h << 16 | {group}l)" if node.size == 3 else group  # noqa: PLR2004
        for part in shown:
            self.put(part, part_expression(whole, part))

    def integer_of(self, node: nodes.BitsNode, variable: str) -> None:
        """Add the group's bytes to the run of fixed numbers."""
        if node.size == 3:  # noqa: PLR2004
            self.fixed("BH", 3, f"{variable}h, {variable}l")
        else:
            self.fixed(FORMATS[node.size], node.size, variable)

    def blob(self, node: nodes.BlobNode) -> None:
        """Text or bytes."""
        variable = f"v{node.value}"
        if isinstance(node.length, nodes.Const) and node.encoding in (None, "uuid"):
            self.fixed(f"{node.length.value}s", node.length.value, variable)
            self.put(node, variable)
            return
        if node.prefix:
            self.integer(node.prefix)
        self.flush()
        if node.prefix:
            count = self.value[node.prefix.value]
        else:
            count = self.expr(node.length) if node.length else "e - p"
        self.line(f"q = p + {count}")
        signed = node.length is not None or (node.prefix is not None and node.prefix.signed)
        check = "if q > e or q < p: raise Stop" if signed else "if q > e: raise Stop"
        limit = "" if node.limit is None else f"if q - p > {node.limit}: raise Stop"
        if node.null:
            with self.block(f"if {count} == -1:"):
                self.line(f"{variable} = None")
            with self.block("else:"):
                self.slice(node, variable, [check, limit])
        else:
            self.slice(node, variable, [check, limit])
        self.put(node, variable)

    def slice(self, node: nodes.BlobNode, variable: str, checks: list[str]) -> None:
        """Take the bytes between p and q."""
        for check in checks:
            if check:
                self.line(check)
        self.line(f"{variable} = {self.taken(node)}; p = q")

    def taken(self, node: nodes.BlobNode) -> str:
        """Return the expression for the bytes between p and q, or for their text."""
        match node.encoding:
            case None | "uuid":
                return "b[p:q]"
            case "mutf-8":
                return "mutf8(b[p:q])"
            case encoding:
                return f"str(b[p:q], {encoding!r})"

    def many(self, node: nodes.ListNode) -> None:
        """Generate the code for a list: numbers at once, anything else item by item."""
        variable = f"v{node.value}"
        if node.prefix:
            self.integer(node.prefix)
        self.flush()
        count = self.value[node.prefix.value] if node.prefix else None
        count = self.expr(node.count) if node.count else count
        item = node.item
        if isinstance(item, nodes.IntNode) and item.size in FORMATS:
            form = FORMATS[item.size].lower() if item.signed else FORMATS[item.size]
            self.line(f"n = (e - p) // {item.size}" if count is None else f"n = {count}")
            exact = f"if n * {item.size} != e - p: raise Stop"
            room = f"if n < 0 or n * {item.size} > e - p: raise Stop"
            self.line(exact if node.claimed or count is None else room)
            if node.limit is not None:
                self.line(f"if n > {node.limit}: raise Stop")
            self.line(f"{variable} = list(unpack_from(f'>{{n}}{form}', b, p))")
            self.line(f"p += n * {item.size}")
        else:
            self.items(node, variable, count)
            if node.limit is not None:
                self.line(f"if len({variable}) > {node.limit}: raise Stop")
        self.put(node, variable)

    def items(self, node: nodes.ListNode, variable: str, count: str | None) -> None:
        """Generate the loop over items."""
        least = node.item.least
        bounded = count is not None and not node.claimed
        if bounded:
            self.line(f"if {count} < 0 or {count} > (e - p) // {least}: raise Stop")
        self.line(f"{variable} = []; a{node.id} = {variable}.append")
        self.begin_sums(node)
        outer = self.out
        with self.block(f"for _ in range({count}):" if bounded else "while p < e:"):
            if node.limit is not None and not bounded:
                self.line(f"if len({variable}) > {node.limit}: raise Stop")
            self.out = RecordBuilder(node.item)
            if isinstance(node.item, nodes.RecordNode):
                self.arm(node.item.members)
                self.tally(node.item.members)
                self.line(f"a{node.id}({self.finish()})")
            else:
                self.method[type(node.item)](node.item)
                self.flush()
                self.line(f"a{node.id}({self.value[node.item.value]})")
        self.out = outer
        if node.claimed:
            self.line(f"if len({variable}) != {count}: raise Stop")

    def record(self, node: nodes.RecordNode) -> None:
        """Generate the code for a record inside the record."""
        outer, self.out = self.out, RecordBuilder(node)
        self.members(node.members)
        self.flush()
        inner, self.out = self.finish(), outer
        self.line(f"v{node.value} = {inner}")
        self.put(node, f"v{node.value}")

    def when(self, node: nodes.WhenNode) -> None:
        """Members under a condition."""
        self.name_record()
        self.absent(node.members)
        with self.block(f"if {self.expr(node.condition)}:"):
            self.branch(node.members)

    def tail(self, node: nodes.TailNode) -> None:
        """Generate the code for a member while bytes remain."""
        self.name_record()
        self.absent(node.members)
        with self.block(f"if e - p >= {node.need}:"):
            self.branch(node.members)

    def branch(self, members: list[nodes.Node]) -> None:
        """Generate an arm; its referenced values keep the names that `absent` gave."""
        self.arm(members)
        self.tally(members)
        self.keep(members)

    def begin_sums(self, node: nodes.ListNode) -> None:
        """Before the items of a list: nothing is added up yet."""
        for index, each in enumerate(self.sums):
            if each.node is node:
                self.line(f"t{index} = 0")

    def tally(self, members: list[nodes.Node]) -> None:
        """Add what these members, which are there, bring to the sums over their list."""
        for node in members:
            for index, each in enumerate(self.sums):
                if each.member.value == node.value:
                    self.line(f"t{index} += {self.value[node.value]} - {each.absent}")
            if isinstance(node, nodes.BitsNode | nodes.RegionNode):
                self.tally(nodes.children(node))

    def expr(self, expr: nodes.Expr) -> str:
        """Return an expression as Python; sums were added up on the way."""
        if isinstance(expr, nodes.Sum) and expr in self.sums:
            count = self.counted(expr.node)
            count = count if expr.absent == 1 else f"{count} * {expr.absent}"
            return f"({count} + t{self.sums.index(expr)})"
        return super().expr(expr)

    def counted(self, node: nodes.Node) -> str:
        """How many items a list has that is there."""
        return f"len({self.value[node.value]})"

    def keep(self, members: list[nodes.Node]) -> None:
        """Assign referenced values to the variables known outside the branch."""
        for node in members:
            if node.value in self.wanted and self.value[node.value] != f"v{node.value}":
                self.line(f"v{node.value} = {self.value[node.value]}")
                self.value[node.value] = f"v{node.value}"
            if not isinstance(node, (nodes.RecordNode, nodes.ListNode)):
                self.keep(nodes.children(node))

    def either(self, node: nodes.EitherNode) -> None:
        """Arms by the top bit of the next byte."""
        self.name_record()
        self.absent(node.clear + node.set)
        self.line("if p >= e: raise Stop")
        with self.block("if b[p] < 128:"):
            self.branch(node.clear)
        with self.block("else:"):
            self.branch(node.set)

    def fits(self, node: nodes.FitsNode) -> None:
        """Left to careful."""
        self.name_record()
        self.absent([node])
        self.line("raise Stop")

    def switch(self, node: nodes.SwitchNode) -> None:
        """Arms by a value."""
        self.name_record()
        self.absent([each for arm in (*node.cases.values(), node.default) for each in arm])
        word = "if"
        for value, arm in node.cases.items():
            with self.block(f"{word} {self.expr(node.on)} == {value}:"):
                self.branch(arm)
            word = "elif"
        with self.block("else:" if node.cases else "if True:"):
            self.branch(node.default)
            if node.closed:
                self.line("raise Stop")

    def region(self, node: nodes.RegionNode) -> None:
        """Members inside a narrower end."""
        if node.prefix:
            self.integer(node.prefix)
        self.flush()
        count = "e - p" if node.length is None else self.expr(node.length)
        count = self.value[node.prefix.value] if node.prefix else count
        self.line(f"e{node.id} = e; e = p + {count}")
        self.line(f"if e > e{node.id} or e < p: raise Stop")
        if node.checksum:
            wrong = f"{node.checksum}(b[p:e]) != {self.expr(given(node.expected))}"
            wrong = f"{self.expr(node.summed)} and {wrong}" if node.summed else wrong
            self.line(f"if {wrong}: raise Stop")
        self.arm(node.members)
        self.line("if p != e: raise Stop")
        self.line(f"e = e{node.id}")

    def claim(self, node: nodes.ClaimNode) -> None:
        """Compare a number of the frame with its expected value."""
        self.flush()
        self.line(f"if {self.value[node.of.value]} != {self.expr(node.expression)}: raise Stop")

    def literal(self, node: nodes.LiteralNode) -> None:
        """Generate the code for fixed bytes."""
        self.flush()
        self.line(f"if not b.startswith({node.data!r}, p, e): raise Stop")
        self.line(f"p += {len(node.data)}")

    def text_line(self, node: nodes.LineNode) -> None:
        """Generate the code for a line of arguments; marks or a rest are read by tables."""
        if any(each.mark or each.kind not in ("text", "number") for each in node.arguments):
            self.dynamic(node)
            return
        optional = [each for each in node.arguments if each.optional]
        if optional:
            self.name_record()
        self.flush()
        self.absent(list(optional))
        size, verb = len(node.verb), node.verb.upper().encode()
        self.line("q = b.find(b'\\n', p, e)")
        self.line("if q < 0: raise Stop")
        self.line("t = b[p:q].removesuffix(b'\\r'); p = q + 1")
        self.line(f"if t[:{size}].upper() != {verb!r}: raise Stop")
        self.line(f"if t[{size}:{size + 1}] not in (b' ', b'', b'\\t'): raise Stop")
        self.line(f"w = [*filter(None, t[{size}:].replace(b'\\t', b' ').split(b' '))]; n = len(w)")
        required = len(node.arguments) - len(optional)
        if not optional:
            self.line(f"if n != {required}: raise Stop")
            self.arguments(node.arguments)
            return
        for count in range(len(optional) + 1):
            left_out = optional[count:]
            with self.block(f"{'elif' if count else 'if'} n == {required + count}:"):
                self.arguments([each for each in node.arguments if each not in left_out])
        self.line("else: raise Stop")

    def arguments(self, present: list[nodes.ArgumentNode]) -> None:
        """One token for each argument."""
        for index, node in enumerate(present):
            variable = f"v{node.value}"
            if node.kind == "number":
                odd = f"not w[{index}].isdigit() or len(w[{index}]) > {MAX_DIGITS}"
                self.line(f"if {odd}: raise Stop")
                self.line(f"{variable} = int(w[{index}])")
            else:
                self.line(f"{variable} = str(w[{index}], 'utf-8')")
            self.put(node, variable)
        self.flush()

    def message(self, node: nodes.MessageNode) -> None:
        """Protobuf fields, by a table of tags."""
        table = self.constant(f"M{node.id}", table_of(node))
        self.tabled(node, f"quick(b, p, e, {table}, {{}})")

    def dynamic(self, node: nodes.LineNode | nodes.HeadersNode | nodes.JsonLineNode) -> None:
        """Generate the call of the function that reads it."""
        table = self.constant(f"N{node.id}", node)
        function = type(node).__name__.removesuffix("Node").lower()
        self.tabled(node, f"{function}(b, p, e, {table}, {{}}, None)")

    def tabled(self, node: nodes.Node, call: str) -> None:
        """Generate a call that fills the record and returns where it ends."""
        out = self.name_record()
        self.line(f"p = {call.format(out)}")
        self.loose += nodes.children(node)
        for child in nodes.children(node):
            if child.name:
                self.value[child.value] = f"{out}.get({child.name!r}, 0)"
