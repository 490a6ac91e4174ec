package owner

var hoursDoors = []door{}
