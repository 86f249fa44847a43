-- What Wireshark's Lua has, and what is no mistake in a plugin.
std = "lua52"
max_line_length = false
ignore = {
  "431/v", -- expressions take the kept values by the name that the reader has for them
  "431/left", -- an object of tables is called so, and what is left of a frame
  "431/problem", -- a column of rules is called so, and a function of the reader
  "211/[A-Z]+%d*", "211/bor", "211/u%d+", -- words that not every protocol needs
}
read_globals = {
  "bit", "base", "frametype", "expert", "get_version", "gui_enabled", "set_plugin_info",
  "Column", "Proto", "ProtoField", "ProtoExpert", "Pref", "Field", "Listener", "Dissector", "DissectorTable", "TreeItem", "Tvb", "ByteArray",
  "TextWindow", "register_menu", "register_packet_menu", "register_postdissector", "retap_packets", "set_filter", "apply_filter", "get_preference", "MENU_TOOLS_UNSORTED", "NSTime", "UInt64", "ftypes", "Int64", "DESEGMENT_ONE_MORE_SEGMENT",
  "ENC_UTF_8", "ENC_BIG_ENDIAN", "ENC_UCS_4",
}
