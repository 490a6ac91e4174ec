package main

import (
	"hash/fnv"
	"math/rand/v2"
)

// sample picks up to n mutations that compile. It takes the next one from whichever file and kind has had the fewest,
// so that long files and common operators do not crowd out the others. The result depends only on the arguments.
func sample(found []mutation, n int, seed uint64, compiles func(mutation) bool) (picked []mutation) {
	rest := make([]mutation, len(found))
	copy(rest, found)
	stream := fnv.New64()
	if len(found) > 0 {
		stream.Write([]byte(found[0].pkg))
	}
	random := rand.New(rand.NewPCG(seed, stream.Sum64()))
	random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	files, kinds := map[*file]int{}, map[kind]int{}
	for len(picked) < n && len(rest) > 0 {
		next := 0
		for i, m := range rest {
			if best := rest[next]; files[m.file]+kinds[m.kind] < files[best.file]+kinds[best.kind] {
				next = i
			}
		}
		m := rest[next]
		rest = append(rest[:next], rest[next+1:]...)
		if compiles(m) {
			picked = append(picked, m)
			files[m.file]++
			kinds[m.kind]++
		}
	}
	return picked
}
