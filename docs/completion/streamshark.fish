_STREAMSHARK_COMPLETE=fish_source streamshark | source
