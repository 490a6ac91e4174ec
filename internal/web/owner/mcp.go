package owner

var mcpDoors = []door{}
