package worlds

import "sync"

// AtOnce runs all functions at the same time and returns their errors.
func AtOnce(all ...func() error) []error {
	var done sync.WaitGroup
	errs := make([]error, len(all))
	begin := make(chan struct{})
	for i, do := range all {
		done.Go(func() {
			<-begin
			errs[i] = do()
		})
	}
	close(begin)
	done.Wait()
	return errs
}
