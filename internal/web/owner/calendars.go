package owner

var calendarDoors = []door{}
