-- A small dissector for RabbitMQ Streams, to measure against: what one would write by hand in an
-- afternoon, after the pattern of Wireshark's own examples. Header, and the first fields of the
-- commands that carry messages; with `-o rmqs.messages:TRUE` an item for each message too.

local rmqs = Proto("rmqs", "RabbitMQ Streams (minimal)")

local COMMANDS = {
    [1] = "DeclarePublisher", [2] = "Publish", [3] = "PublishConfirm", [4] = "PublishError",
    [5] = "QueryPublisherSequence", [6] = "DeletePublisher", [7] = "Subscribe", [8] = "Deliver",
    [9] = "Credit", [10] = "StoreOffset", [11] = "QueryOffset", [12] = "Unsubscribe",
    [13] = "Create", [14] = "Delete", [15] = "Metadata", [16] = "MetadataUpdate",
    [17] = "PeerProperties", [18] = "SaslHandshake", [19] = "SaslAuthenticate", [20] = "Tune",
    [21] = "Open", [22] = "Close", [23] = "Heartbeat", [24] = "Route", [25] = "Partitions",
    [26] = "ConsumerUpdate", [27] = "ExchangeCommandVersions", [28] = "StreamStats",
    [29] = "CreateSuperStream", [30] = "DeleteSuperStream", [31] = "ResolveOffsetSpec",
}

local f = rmqs.fields
f.length = ProtoField.uint32("rmqs.length", "Length")
f.response = ProtoField.bool("rmqs.response", "Response", 16, nil, 0x8000)
f.key = ProtoField.uint16("rmqs.key", "Key", base.DEC, COMMANDS, 0x7fff)
f.version = ProtoField.uint16("rmqs.version", "Version")
f.correlation = ProtoField.uint32("rmqs.correlation_id", "Correlation id")
f.publisher = ProtoField.uint8("rmqs.publisher_id", "Publisher id")
f.subscription = ProtoField.uint8("rmqs.subscription_id", "Subscription id")
f.count = ProtoField.uint32("rmqs.count", "Count")
f.entries = ProtoField.uint16("rmqs.entries", "Entries")
f.offset = ProtoField.uint64("rmqs.chunk_id", "Chunk id")

f.id = ProtoField.uint64("rmqs.publishing_id", "Publishing id")
f.size = ProtoField.uint32("rmqs.size", "Size")

rmqs.prefs.messages = Pref.bool("Messages", false, "Show an item for each message")

local HEADER = 8
local NO_CORRELATION = { [2] = true, [3] = true, [4] = true, [8] = true, [9] = true, [10] = true,
                         [16] = true, [20] = true, [23] = true }

local function length_of(tvb, pinfo, offset)
    return tvb(offset, 4):uint() + 4
end

-- Messages from an offset to the end: an id of `id` bytes (or none), a length, the message.
local function messages(tvb, tree, offset, id)
    while offset + id + 4 <= tvb:len() do
        local size = tvb(offset + id, 4):uint()
        if size >= 0x80000000 or offset + id + 4 + size > tvb:len() then return end
        local item = tree:add(tvb(offset, id + 4 + size), "Message")
        if id > 0 then item:add(f.id, tvb(offset, id)) end
        item:add(f.size, tvb(offset + id, 4))
        offset = offset + id + 4 + size
    end
end

local function dissect(tvb, pinfo, root)
    local key = tvb(4, 2):uint()
    local command = bit.band(key, 0x7fff)
    local name = COMMANDS[command] or "Unknown"
    local tree = root:add(rmqs, tvb(), "RabbitMQ Streams, " .. name)
    tree:add(f.length, tvb(0, 4))
    tree:add(f.response, tvb(4, 2))
    tree:add(f.key, tvb(4, 2))
    tree:add(f.version, tvb(6, 2))
    if (command == 2 or command == 3) and tvb:len() >= 13 then
        tree:add(f.publisher, tvb(8, 1))
        tree:add(f.count, tvb(9, 4))
        if command == 2 and rmqs.prefs.messages then messages(tvb, tree, 13, 8) end
    elseif command == 8 and tvb:len() >= 57 then
        local chunk = tvb(6, 2):uint() == 2 and 17 or 9
        tree:add(f.subscription, tvb(8, 1))
        tree:add(f.entries, tvb(chunk + 2, 2))
        tree:add(f.offset, tvb(chunk + 24, 8))
        if rmqs.prefs.messages then messages(tvb, tree, chunk + 48, 0) end
    elseif not NO_CORRELATION[command] and tvb:len() >= 12 then
        tree:add(f.correlation, tvb(8, 4))
    end
    pinfo.cols.protocol = "RMQS"
    pinfo.cols.info:append(name .. " ")
    return tvb:len()
end

function rmqs.dissector(tvb, pinfo, root)
    pinfo.cols.info:clear()
    dissect_tcp_pdus(tvb, root, HEADER, length_of, dissect)
    return tvb:len()
end

DissectorTable.get("tcp.port"):add(5552, rmqs)
