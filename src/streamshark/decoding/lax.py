"""The careful form of the record decoder: values, byte ranges and problems; it never raises.

A stopping problem ends the region it is in, else the frame; what was read stays. Ranges are
(node id, start, end, value) in wire order and tile the frame: bytes that no node could read are
node -1. The parts of a bit group share their group's bytes.
"""

from streamshark.decoding.code_printer import FORMATS, CodePrinter, given, part_expression
from streamshark.schema import nodes


class LaxPrinter(CodePrinter):
    """Code printer of the tolerant decoder: every length is checked, every problem reported."""

    name = "careful"

    def __init__(self, tree: nodes.Tree) -> None:
        super().__init__(tree)
        self.out = "o0"

    def print(self) -> str:
        """Return the function's text."""
        self.line("p = 0; e = len(b); o0 = {}; ranges = []; problems = []; add = ranges.append")
        with self.block("try:"):
            self.members(self.tree.root.members)
            self.line("if p != e: problem(problems, 'TRAILING', -1, p, e - p)")
        self.line("except Stop: pass")
        self.line("undecoded(ranges, 0, e)")
        self.drop_hidden("o0")
        self.line("return o0, ranges, problems")
        return "\n".join([f"def {self.name}(b):", *self.lines, ""])

    def members(self, members: list[nodes.Node]) -> None:
        """Members one after the other."""
        for node in members:
            self.method[type(node)](node)

    def put(self, node: nodes.Node, expression: str) -> None:
        """Make `expression` the value of a node."""
        if expression != f"v{node.value}":
            self.line(f"v{node.value} = {expression}")
        self.value[node.value] = f"v{node.value}"
        if node.name is not None and not self.is_hidden(node):
            self.line(f"{self.out}[{node.name!r}] = v{node.value}")

    def number(self, node: nodes.Node, size: int, *, signed: bool, ranged: bool) -> None:
        """`size` bytes as a number into `v<id>`, its range noted when it is a node by itself."""
        self.line(f"if e - p < {size}: short(problems, {node.id}, p, e - p, {size})")
        if size in FORMATS:
            form = FORMATS[size].lower() if signed else FORMATS[size]
            reader = self.constant(f"S_{form}", f">{form}")
            self.line(f"v{node.value} = {reader}(b, p)[0]")
        else:
            self.line(f"v{node.value} = from_bytes(b[p:p + {size}], 'big', signed={signed})")
        if ranged:
            self.line(f"add(({node.id}, p, p + {size}, v{node.value}))")
        self.line(f"p += {size}")
        self.value[node.value] = f"v{node.value}"

    def integer(self, node: nodes.IntNode) -> None:
        """Generate the code for a number."""
        self.number(node, node.size, signed=node.signed, ranged=True)
        self.put(node, f"v{node.value}")

    def bits(self, node: nodes.BitsNode) -> None:
        """Generate the code for a group of bits, then its parts over the same bytes."""
        self.number(node, node.size, signed=False, ranged=True)
        for part in node.parts:
            expression = part_expression(f"v{node.value}", part)
            if part.name:
                self.put(part, expression)
                expression = f"v{part.value}"
            self.line(f"add(({part.id}, p - {node.size}, p, {expression}))")

    def blob(self, node: nodes.BlobNode) -> None:
        """Text or bytes, the length before it in one range with it."""
        start = f"s{node.id}"
        self.line(f"{start} = p")
        count = self.counted(node, node.prefix, node.length, "e - p", ranged=False)
        if node.null or node.refuses_null:
            with self.block(f"if {count} == -1:"):
                self.line(f"v{node.value} = None")
                if node.refuses_null:
                    self.line(f"problem(problems, 'NULL', {node.id}, {start}, p - {start})")
            with self.block("else:"):
                self.slice(node, start, count)
        else:
            self.slice(node, start, count)
        self.line(f"add(({node.id}, {start}, p, v{node.value}))")
        self.put(node, f"v{node.value}")

    def counted(
        self,
        node: nodes.Node,
        prefix: nodes.IntNode | None,
        expr: nodes.Expr | None,
        default: str,
        *,
        ranged: bool,
    ) -> str:
        """Assign a length or count to `n<id>`, wherever it is."""
        count = f"n{node.id}"
        if prefix:
            self.number(prefix, prefix.size, signed=prefix.signed, ranged=ranged)
            self.line(f"{count} = v{prefix.id}")
        else:
            self.line(f"{count} = {self.expr(expr) if expr else default}")
        return count

    def slice(self, node: nodes.BlobNode, start: str, count: str) -> None:
        """Take the bytes, complain about length, limit and text."""
        self.line(f"if {count} < 0: negative(problems, {node.id}, {start}, p - {start}, {count})")
        if node.limit is not None:
            values = f"{node.id}, {start}, min(p + {count}, e) - {start}, {count}, {node.limit}"
            self.line(f"if {count} > {node.limit}: problem(problems, 'LIMIT', {values})")
        self.line(f"if {count} > e - p: short(problems, {node.id}, p, e - p, {count})")
        match node.encoding:
            case None | "uuid":
                self.line(f"v{node.value} = b[p:p + {count}]")
            case encoding:
                values = f"problems, {node.id}, p, b[p:p + {count}], {encoding!r}"
                self.line(f"v{node.value} = decoded({values})")
        self.line(f"p += {count}")

    def many(self, node: nodes.ListNode) -> None:
        """Generate the code for a list, filled item by item so that what was read is kept."""
        start, items = f"s{node.id}", f"v{node.value}"
        self.line(f"{start} = p")
        given_count = node.prefix is not None or node.count is not None
        count = self.counted(node, node.prefix, node.count, "0", ranged=True)
        self.put(node, "[]")
        if given_count:
            self.line(
                f"if {count} < 0: negative(problems, {node.id}, {start}, p - {start}, {count})"
            )
        bounded = given_count and not node.claimed
        outer = self.out
        room = "" if node.limit is None else f" and len({items}) <= {node.limit}"
        with self.block(f"for _ in range({count}):" if bounded else f"while p < e{room}:"):
            if isinstance(node.item, nodes.RecordNode):
                self.out = f"o{node.item.id}"
                self.line(f"{self.out} = {{}}; {items}.append({self.out})")
                self.members(node.item.members)
            else:
                self.method[type(node.item)](node.item)
                self.line(f"{items}.append(v{node.item.value})")
        self.out = outer
        place = f"{node.id}, {start}, {node.prefix.least if node.prefix else 0}"
        if node.claimed:
            values = f"{place}, {count}, len({items})"
            self.line(f"if len({items}) != {count}: problem(problems, 'COUNT', {values})")
        if node.limit is not None:
            values = f"{place}, len({items}), {node.limit}"
            self.line(f"if len({items}) > {node.limit}: problem(problems, 'LIMIT', {values})")

    def record(self, node: nodes.RecordNode) -> None:
        """Generate the code for a record inside the record."""
        self.put(node, "{}")
        outer, self.out = self.out, f"v{node.value}"
        self.members(node.members)
        self.out = outer

    def when(self, node: nodes.WhenNode) -> None:
        """Members under a condition."""
        self.absent(node.members)
        with self.block(f"if {self.expr(node.condition)}:"):
            self.members(node.members)

    def tail(self, node: nodes.TailNode) -> None:
        """Generate the code for a member while bytes remain."""
        self.absent(node.members)
        with self.block(f"if e - p >= {node.need}:"):
            self.members(node.members)

    def either(self, node: nodes.EitherNode) -> None:
        """Arms by the top bit of the next byte."""
        self.absent(node.clear + node.set)
        self.line(f"if p >= e: short(problems, {node.id}, p, 0, 1)")
        with self.block("if b[p] < 128:"):
            self.members(node.clear)
        with self.block("else:"):
            self.members(node.set)

    def fits(self, node: nodes.FitsNode) -> None:
        """Try the arms; the first that uses up the region without a problem is taken."""
        n, form = node.id, f"f{node.id}"
        arms = [each for _, arm in node.arms for each in arm]
        self.absent(arms)
        self.line(f"s{n} = p; e{n} = e; r{n} = len(ranges); k{n} = len(problems); {form} = None")
        outer = self.out
        for name, arm in node.arms:
            with self.block(f"if {form} is None:"):
                self.out = f"o{n}"
                self.line(f"{self.out} = {{}}")
                with self.block("try:"):
                    self.members(arm)
                    self.line(f"if p != e or len(problems) > k{n}: raise Stop")
                    self.line(f"{form} = {name!r}")
                    self.line(f"{outer}.update({self.out})")
                with self.block("except Stop:"):
                    self.line(f"p = s{n}; e = e{n}; del ranges[r{n}:]; del problems[k{n}:]")
                    self.absent(arm)
        self.out = outer
        with self.block(f"if {form} is None:"):
            self.line(f"problem(problems, 'NO_FIT', {n}, p, e - p)")
            self.line("raise Stop")

    def switch(self, node: nodes.SwitchNode) -> None:
        """Arms by a value."""
        self.absent([each for arm in (*node.cases.values(), node.default) for each in arm])
        word = "if"
        for value, arm in node.cases.items():
            with self.block(f"{word} {self.expr(node.on)} == {value}:"):
                self.members(arm)
            word = "elif"
        with self.block("else:" if node.cases else "if True:"):
            self.members(node.default)
            if node.closed and isinstance(node.on, nodes.Ref):
                on = node.on.node
                values = (
                    f"{on.id}, *place(ranges, {on.id}), f'no {on.name} {{{self.expr(node.on)}}}'"
                )
                self.line(f"problem(problems, 'VALUE', {values})")

    def region(self, node: nodes.RegionNode) -> None:
        """Members inside a narrower end; a stop inside ends only the region."""
        n = node.id
        self.absent(node.members)
        count = self.counted(node, node.prefix, node.length, "e - p", ranged=True)
        self.line(f"if {count} < 0: negative(problems, {n}, p, 0, {count})")
        self.line(f"e{n} = e; cut{n} = {count} > e - p")
        with self.block(f"if cut{n}:"):
            self.line(f"problem(problems, 'SHORT', {n}, p, e - p, {count})")
        with self.block("else:"):
            self.line(f"e = p + {count}")
        if node.checksum:
            condition = f"not cut{n}"
            if node.summed:
                condition = f"{condition} and {self.expr(node.summed)}"
            expected = self.expr(given(node.expected))
            with self.block(f"if {condition}:"):
                self.line(f"c{n} = {node.checksum}(b[p:e])")
                values = f"{n}, p, e - p, {expected}, c{n}"
                self.line(f"if c{n} != {expected}: problem(problems, 'CHECKSUM', {values})")
        self.line(f"s{n} = p")
        with self.block("try:"):
            self.members(node.members)
            self.line(f"if p != e: problem(problems, 'TRAILING', {n}, p, e - p)")
        self.line("except Stop: pass")
        self.line(f"undecoded(ranges, s{n}, e); p = e; e = e{n}")
        self.line(f"if cut{n}: raise Stop")

    def claim(self, node: nodes.ClaimNode) -> None:
        """Compare a number of the frame with its expected value."""
        expected = self.expr(node.expression)
        place = f"*place(ranges, {node.of.id})"
        values = f"{node.of.id}, {place}, {self.value[node.of.value]}, {expected}"
        condition = f"{self.value[node.of.value]} != {expected}"
        self.line(f"if {condition}: problem(problems, 'CLAIM', {values})")

    def literal(self, node: nodes.LiteralNode) -> None:
        """Generate the code for fixed bytes."""
        size = len(node.data)
        self.line(f"if e - p < {size}: short(problems, {node.id}, p, e - p, {size})")
        with self.block(f"if not b.startswith({node.data!r}, p, e):"):
            self.line(f"problem(problems, 'LITERAL', {node.id}, p, {size})")
            self.line("raise Stop")
        self.line(f"add(({node.id}, p, p + {size}, None)); p += {size}")

    def dynamic(
        self, node: nodes.MessageNode | nodes.LineNode | nodes.HeadersNode | nodes.JsonLineNode
    ) -> None:
        """Generate the call of the function that reads it."""
        table = self.constant(f"N{node.id}", node)
        function = type(node).__name__.removesuffix("Node").lower()
        self.line(f"p = {function}(b, p, e, {table}, {self.out}, (ranges, problems))")
        self.loose += nodes.children(node)
        for child in nodes.children(node):
            if child.name:
                self.value[child.value] = f"{self.out}.get({child.name!r}, 0)"

    message = text_line = dynamic
