package owner

var explainDoors = []door{}
