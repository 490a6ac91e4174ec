package cli

import (
	"flag"
	"time"

	"slotd/internal/lib/say"
)

// These methods define flags as those of flag.FlagSet do. The usage is a marked sentence, because people read it.

func (fs *FlagSet) String(name, value string, usage say.Sentence) *string {
	return fs.FlagSet.String(name, value, usage.String())
}

func (fs *FlagSet) Bool(name string, value bool, usage say.Sentence) *bool {
	return fs.FlagSet.Bool(name, value, usage.String())
}

func (fs *FlagSet) Int(name string, value int, usage say.Sentence) *int {
	return fs.FlagSet.Int(name, value, usage.String())
}

func (fs *FlagSet) StringVar(p *string, name, value string, usage say.Sentence) {
	fs.FlagSet.StringVar(p, name, value, usage.String())
}

func (fs *FlagSet) BoolVar(p *bool, name string, value bool, usage say.Sentence) {
	fs.FlagSet.BoolVar(p, name, value, usage.String())
}

func (fs *FlagSet) IntVar(p *int, name string, value int, usage say.Sentence) {
	fs.FlagSet.IntVar(p, name, value, usage.String())
}

func (fs *FlagSet) DurationVar(p *time.Duration, name string, value time.Duration, usage say.Sentence) {
	fs.FlagSet.DurationVar(p, name, value, usage.String())
}

func (fs *FlagSet) Var(value flag.Value, name string, usage say.Sentence) {
	fs.FlagSet.Var(value, name, usage.String())
}
