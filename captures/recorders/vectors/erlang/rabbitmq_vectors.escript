#!/usr/bin/env escript
%% Vectors from the broker's own codec (rabbit_stream_core) and log (osiris_log).
%%
%% Usage: rabbitmq_vectors.escript PLUGINS, the folder that holds osiris-* and rabbitmq_stream_common-*.
%% Expected values are the arguments; maps are lists of {key, value} in the order the codec writes them.

-define(CODEC, "rabbitmq-server 3.10.8, rabbitmq_stream_common, rabbit_stream_core:frame/1").
-define(LOG, "osiris 1.3.1, osiris_log:write/5").

main([Plugins]) ->
    [code:add_path(Path) || Path <- filelib:wildcard(Plugins ++ "/{osiris,seshat,rabbitmq_stream_common}-*/ebin")],
    publishing(), consuming(), streams(), session(), routing(), chunks().

publishing() ->
    request("declare_publisher", "no_reference", 7, {declare_publisher, 1, <<>>, <<"st">>},
            [{publisher_id, 1}, {publisher_reference, <<>>}, {stream, <<"st">>}]),
    request("declare_publisher", "reference", 7, {declare_publisher, 255, <<"ref">>, utf8("größe")},
            [{publisher_id, 255}, {publisher_reference, <<"ref">>}, {stream, utf8("größe")}]),
    response("declare_publisher_response", "ok", 7, {declare_publisher, 1}, [{response_code, 1}]),
    response("declare_publisher_response", "precondition_failed", 16#ffffffff, {declare_publisher, 17}, [{response_code, 17}]),
    command("publish_confirm", "two", {publish_confirm, 5, [1, 16#ffffffffffffffff]}, [{publisher_id, 5}, {publishing_ids, [1, 16#ffffffffffffffff]}]),
    command("publish_confirm", "none", {publish_confirm, 5, []}, [{publisher_id, 5}, {publishing_ids, []}]),
    command("publish_error", "two", {publish_error, 200, 18, [7, 8]},
            [{publisher_id, 200}, {publishing_errors, [{o, [{publishing_id, 7}, {code, 18}]}, {o, [{publishing_id, 8}, {code, 18}]}]}]),
    command("publish_error", "none", {publish_error, 200, 18, []}, [{publisher_id, 200}, {publishing_errors, []}]),
    request("query_publisher_sequence", "plain", 3, {query_publisher_sequence, <<"ref">>, <<"st">>}, [{publisher_reference, <<"ref">>}, {stream, <<"st">>}]),
    response("query_publisher_sequence_response", "max", 3, {query_publisher_sequence, 1, 16#ffffffffffffffff}, [{response_code, 1}, {sequence, 16#ffffffffffffffff}]),
    request("delete_publisher", "plain", 4, {delete_publisher, 0}, [{publisher_id, 0}]).

consuming() ->
    [request("subscribe", Name, 12, {subscribe, 3, <<"st">>, Spec, 10},
             [{subscription_id, 3}, {stream, <<"st">>}, {offset_specification, {o, Expect}}, {credit, 10}])
     || {Name, Spec, Expect} <- [{"first", first, [{offset_type, 1}]}, {"last", last, [{offset_type, 2}]}, {"next", next, [{offset_type, 3}]},
                                 {"offset_max", 16#ffffffffffffffff, [{offset_type, 4}, {offset, 16#ffffffffffffffff}]},
                                 {"timestamp", {timestamp, 1700000000000}, [{offset_type, 5}, {timestamp, 1700000000000}]},
                                 {"timestamp_negative", {timestamp, -1}, [{offset_type, 5}, {timestamp, -1}]}]],
    request("subscribe", "properties", 12,
            {subscribe, 3, <<"st">>, 42, 10, #{<<"name">> => <<"app">>, <<"single-active-consumer">> => <<"true">>}},
            [{subscription_id, 3}, {stream, <<"st">>}, {offset_specification, {o, [{offset_type, 4}, {offset, 42}]}}, {credit, 10},
             {properties, {m, [{<<"single-active-consumer">>, <<"true">>}, {<<"name">>, <<"app">>}]}}]),
    request("subscribe", "first_with_properties", 12, {subscribe, 3, <<"st">>, first, 0, #{<<"name">> => <<>>}},
            [{subscription_id, 3}, {stream, <<"st">>}, {offset_specification, {o, [{offset_type, 1}]}}, {credit, 0}, {properties, {m, [{<<"name">>, <<>>}]}}]),
    command("credit", "ten", {credit, 9, 10}, [{subscription_id, 9}, {credit, 10}]),
    command("credit", "negative", {credit, 9, -1}, [{subscription_id, 9}, {credit, -1}]),
    emit("credit_response", "no_correlation_id", ?CODEC, rabbit_stream_core:frame({response, 99, {credit, 4, 16#4d}}), [{response_code, 4}, {subscription_id, 16#4d}], []),
    command("store_offset", "plain", {store_offset, <<"ref">>, <<"st">>, 42}, [{reference, <<"ref">>}, {stream, <<"st">>}, {offset, 42}]),
    request("query_offset", "plain", 9, {query_offset, <<"ref">>, <<"st">>}, [{reference, <<"ref">>}, {stream, <<"st">>}]),
    response("query_offset_response", "no_offset", 9, {query_offset, 19, 0}, [{response_code, 19}, {offset, 0}]),
    request("unsubscribe", "plain", 9, {unsubscribe, 3}, [{subscription_id, 3}]),
    command("metadata_update", "not_available", {metadata_update, <<"dd">>, 6}, [{code, 6}, {stream, <<"dd">>}]).

streams() ->
    request("create", "no_arguments", 6, {create_stream, <<"st">>, #{}}, [{stream, <<"st">>}, {arguments, []}]),
    request("create", "arguments", 6, {create_stream, <<"st">>, #{<<"max-age">> => <<"1h">>, <<"queue-leader-locator">> => <<>>}},
            [{stream, <<"st">>}, {arguments, {m, [{<<"queue-leader-locator">>, <<>>}, {<<"max-age">>, <<"1h">>}]}}]),
    request("delete", "empty_name", 6, {delete_stream, <<>>}, [{stream, <<>>}]),
    request("metadata", "two", 7, {metadata, [<<"st">>, <<"nope">>]}, [{streams, [<<"st">>, <<"nope">>]}]),
    request("metadata", "none", 7, {metadata, []}, [{streams, []}]),
    A = {<<"127.0.0.1">>, 5552}, B = {<<"b">>, 5553},
    Brokers = [{o, [{reference, 0}, {host, <<"127.0.0.1">>}, {port, 5552}]}, {o, [{reference, 1}, {host, <<"b">>}, {port, 5553}]}],
    Missing = fun(Name, Code) -> {o, [{name, Name}, {response_code, Code}, {leader_reference, 65535}, {replicas_references, []}]} end,
    response("metadata_response", "three_kinds", 7, {metadata, [A, B], #{<<"a">> => {A, [B]}, <<"nope">> => stream_not_found, <<"z">> => stream_not_available}},
             [{brokers, Brokers}, {streams, [Missing(<<"z">>, 6), Missing(<<"nope">>, 2),
                                             {o, [{name, <<"a">>}, {response_code, 1}, {leader_reference, 0}, {replicas_references, [1]}]}]}]),
    response("metadata_response", "no_leader", 7, {metadata, [A, B], #{<<"a">> => {undefined, [A, B]}}},
             [{brokers, Brokers}, {streams, [{o, [{name, <<"a">>}, {response_code, 1}, {leader_reference, 65535}, {replicas_references, [0, 1]}]}]}]),
    response("metadata_response", "nothing", 7, {metadata, [], #{}}, [{brokers, []}, {streams, []}]).

session() ->
    Properties = {m, [{<<"product">>, <<"RabbitMQ">>}, {<<"version">>, <<"3.10.8">>}]},
    request("peer_properties", "two", 0, {peer_properties, #{<<"product">> => <<"RabbitMQ">>, <<"version">> => <<"3.10.8">>}},
            [{peer_properties, {m, [{<<"version">>, <<"3.10.8">>}, {<<"product">>, <<"RabbitMQ">>}]}}]),
    response("peer_properties_response", "two", 0, {peer_properties, 1, #{<<"product">> => <<"RabbitMQ">>, <<"version">> => <<"3.10.8">>}},
             [{response_code, 1}, {peer_properties, Properties}]),
    request("sasl_handshake", "plain", 1, sasl_handshake, []),
    response("sasl_handshake_response", "two", 1, {sasl_handshake, 1, [<<"PLAIN">>, <<"AMQPLAIN">>]}, [{response_code, 1}, {mechanisms, [<<"PLAIN">>, <<"AMQPLAIN">>]}]),
    request("sasl_authenticate", "plain", 3, {sasl_authenticate, <<"PLAIN">>, <<0, "guest", 0, "guest">>}, [{mechanism, <<"PLAIN">>}, {sasl_opaque_data, {hex, <<0, "guest", 0, "guest">>}}]),
    request("sasl_authenticate", "null_data", 3, {sasl_authenticate, <<"EXTERNAL">>, <<>>}, [{mechanism, <<"EXTERNAL">>}, {sasl_opaque_data, null}]),
    response("sasl_authenticate_response", "ok", 3, {sasl_authenticate, 1, <<>>}, [{response_code, 1}]),
    response("sasl_authenticate_response", "challenge_u16", 3, {sasl_authenticate, 10, <<"more?">>}, [{response_code, 10}, {sasl_opaque_data, {hex, <<"more?">>}}]),
    command("tune", "server", {tune, 1048576, 10}, [{frame_max, 1048576}, {heartbeat, 10}]),
    emit("tune", "response_form", ?CODEC, rabbit_stream_core:frame({response, 0, {tune, 0, 16#ffffffff}}), [{frame_max, 0}, {heartbeat, 16#ffffffff}], []),
    request("open", "slash", 4, {open, <<"/">>}, [{virtual_host, <<"/">>}]),
    response("open_response", "ok", 4, {open, 1, #{<<"advertised_host">> => <<"127.0.0.1">>, <<"advertised_port">> => <<"5793">>}},
             [{response_code, 1}, {connection_properties, {m, [{<<"advertised_port">>, <<"5793">>}, {<<"advertised_host">>, <<"127.0.0.1">>}]}}]),
    response("open_response", "refused_no_map", 4, {open, 12, #{}}, [{response_code, 12}]),
    request("close", "unknown_frame", 1, {close, 13, <<"unknown frame">>}, [{closing_code, 13}, {closing_reason, <<"unknown frame">>}]),
    request("close", "no_reason", 1, {close, 1, <<>>}, [{closing_code, 1}, {closing_reason, <<>>}]),
    response("close_response", "ok", 1, {close, 1}, [{response_code, 1}]),
    command("heartbeat", "plain", heartbeat, []).

routing() ->
    request("route", "plain", 2, {route, <<"key">>, <<"ss">>}, [{routing_key, <<"key">>}, {super_stream, <<"ss">>}]),
    emit("route_response", "old_single_text", ?CODEC, rabbit_stream_core:frame({response, 2, {route, 1, <<"ss-0">>}}), [{correlation_id, 2}, {response_code, 1}, {streams, [<<"ss-0">>]}],
         [{note, <<"the codec module still writes one text where the broker itself writes a list">>}]),
    emit("route_response", "old_single_text_empty", ?CODEC, rabbit_stream_core:frame({response, 2, {route, 2, <<>>}}), [{correlation_id, 2}, {response_code, 2}, {streams, [<<>>]}], []),
    request("partitions", "plain", 2, {partitions, <<"ss">>}, [{super_stream, <<"ss">>}]),
    response("partitions_response", "two", 2, {partitions, 1, [<<"ss-0">>, <<"ss-1">>]}, [{response_code, 1}, {streams, [<<"ss-0">>, <<"ss-1">>]}]),
    response("partitions_response", "none", 2, {partitions, 2, []}, [{response_code, 2}, {streams, []}]).

%% Chunks as osiris writes them to a segment file, and the same in a Deliver (1.3.1 has no bloom data).
chunks() ->
    Plain = <<0:1, 1:31, "a", 0:1, 2:31, "bc">>,
    Zipped = zlib:gzip(Plain),
    Five = [{o, [{body, {hex, <<"a">>}}]}, {o, [{body, {hex, <<"bc">>}}]}],
    Batch = fun(Type, Data) -> {o, [{compression, Type}, {record_count, 2}, {uncompressed_data_size, byte_size(Plain)}, {data, {hex, Data}}, {records, Five}]} end,
    Sequence = <<0, 4, "prod", 7:64>>,
    Offset = <<1, 4, "cons", 40:64>>,
    Tracked = [{o, [{type, 0}, {reference, <<"prod">>}, {value, 7}]}, {o, [{type, 1}, {reference, <<"cons">>}, {value, 40}]}],
    Body = fun(Bytes) -> {o, [{body, {hex, Bytes}}]} end,
    Cases = [
        {"one", 0, [<<"hello">>], <<>>, 1, 1, [{entries, [Body(<<"hello">>)]}]},
        {"empty_body", 0, [<<>>], <<>>, 1, 1, [{entries, [Body(<<>>)]}]},
        {"three", 0, [<<"a">>, <<>>, <<"ccc">>], <<>>, 3, 3, [{entries, [Body(<<"ccc">>), Body(<<>>), Body(<<"a">>)]}]},
        {"sub_batch_gzip", 0, [{batch, 2, 1, byte_size(Plain), Zipped}], <<>>, 1, 2, [{entries, [Batch(1, Zipped)]}]},
        {"sub_batch_uncompressed", 0, [{batch, 2, 0, byte_size(Plain), Plain}], <<>>, 1, 2, [{entries, [Batch(0, Plain)]}]},
        {"mixed", 0, [<<"x">>, {batch, 2, 0, byte_size(Plain), Plain}], <<>>, 2, 3, [{entries, [Batch(0, Plain), Body(<<"x">>)]}]},
        {"trailer", 0, [<<"x">>], <<Sequence/binary, Offset/binary>>, 1, 1, [{entries, [Body(<<"x">>)]}, {trailer, Tracked}]},
        {"tracking_delta", 1, [<<Sequence/binary, Offset/binary>>], <<>>, 1, 1, [{entries, [{o, [{tracking, Tracked}]}]}]}
    ],
    {ok, _} = application:ensure_all_started(seshat),
    osiris_counters:init(),
    lists:foreach(fun({Name, Type, Entries, Trailer, NumEntries, NumRecords, Content}) ->
        Chunk = written(Type, Entries, Trailer),
        Expect = [{magic, 5}, {version, 0}, {chunk_type, Type}, {num_entries, NumEntries}, {num_records, NumRecords},
                  {timestamp, 1700000000000}, {epoch, 1}, {chunk_id, 0} | Content],
        emit("chunk", Name, ?LOG, Chunk, Expect, [{bare, true}]),
        case Trailer of
            <<>> ->
                emit("deliver", Name, ?CODEC ++ " over " ++ ?LOG, rabbit_stream_core:frame({deliver, 3, Chunk}), [{subscription_id, 3}, {chunk, {o, Expect}}], [{version, 1}]);
            _ ->
                Cut = binary:part(Chunk, 0, byte_size(Chunk) - byte_size(Trailer)),
                emit("deliver", Name ++ "_length_but_no_trailer", ?CODEC ++ " over " ++ ?LOG ++ ", trailer cut as the broker does", rabbit_stream_core:frame({deliver, 3, Cut}),
                     [{subscription_id, 3}, {chunk, {o, lists:keydelete(trailer, 1, Expect)}}], [{version, 1}]),
                emit("deliver", Name ++ "_present", ?CODEC ++ " over " ++ ?LOG, rabbit_stream_core:frame({deliver, 3, Chunk}), [{subscription_id, 3}, {chunk, {o, Expect}}],
                     [{version, 1}, {note, <<"as delivered with chunk_selector all">>}])
        end
    end, Cases).

written(Type, Entries, Trailer) ->
    Dir = filename:join("/tmp", "osiris-" ++ integer_to_list(erlang:unique_integer([positive])) ++ "-" ++ os:getpid()),
    Config = #{dir => Dir, name => Dir, epoch => 1, reference => Dir, counter_spec => {{vectors, make_ref()}, []}, options => #{}, first_offset_fun => fun(_) -> ok end},
    Log = osiris_log:write(Entries, Type, 1700000000000, Trailer, osiris_log:init(Config)),
    osiris_log:close(Log),
    [Segment] = filelib:wildcard(Dir ++ "/*.segment"),
    {ok, <<"OSIL", _Version:32, Chunk/binary>>} = file:read_file(Segment),
    file:del_dir_r(Dir),
    Chunk.

request(Command, Name, Id, Body, Expect) ->
    emit(Command, Name, ?CODEC, rabbit_stream_core:frame({request, Id, Body}), [{correlation_id, Id} | Expect], [{version, 1}]).

response(Command, Name, Id, Body, Expect) ->
    emit(Command, Name, ?CODEC, rabbit_stream_core:frame({response, Id, Body}), [{correlation_id, Id} | Expect], [{version, 1}]).

command(Command, Name, Body, Expect) ->
    emit(Command, Name, ?CODEC, rabbit_stream_core:frame(Body), Expect, [{version, 1}]).

emit(Command, Name, Source, Data, Expect, Facts) ->
    Kind = case lists:suffix("_response", Command) of true -> "response"; false -> "request or command" end,
    Line = [{file, list_to_binary("rabbitmq_stream/" ++ Command)}, {name, list_to_binary(Name)}]
        ++ [{command, iolist_to_binary(string:replace(Command, "_response", ""))} || Command =/= "chunk"]
        ++ [{kind, <<"response">>} || Kind =:= "response"]
        ++ [{hex, {hex, iolist_to_binary(Data)}}, {source, list_to_binary(Source)}, {expect, {o, Expect}} | Facts],
    io:format("~s~n", [json({o, Line})]).

utf8(Text) -> unicode:characters_to_binary(Text).

json(null) -> "\"<null>\"";
json(true) -> "true";
json(Number) when is_integer(Number) -> integer_to_list(Number);
json({hex, Bytes}) -> [$", string:lowercase(binary:encode_hex(Bytes)), $"];
json({o, Members}) -> [${, lists:join($,, [[$", atom_to_list(Key), $", $:, json(Value)] || {Key, Value} <- Members]), $}];
json({m, Entries}) -> json([{o, [{key, Key}, {value, Value}]} || {Key, Value} <- Entries]);
json(Items) when is_list(Items) -> [$[, lists:join($,, [json(Item) || Item <- Items]), $]];
json(Text) when is_binary(Text) -> [$", [character(Char) || Char <- unicode:characters_to_list(Text)], $"].

character(Char) when Char < 16#20; Char > 16#7e; Char =:= $"; Char =:= $\\ -> io_lib:format("\\u~4.16.0b", [Char]);
character(Char) -> Char.
