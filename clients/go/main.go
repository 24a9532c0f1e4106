// Command spina-ledger reads a ledger of Spina, and cosigns it as a witness, with golang.org/x/mod/sumdb alone:
// a tree, tiles and notes by other people. The formats are those of docs/proof.md, section 9, and of C2SP.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

const usage = `usage:
  spina-ledger read -log URL -vkey KEY [-witness URL]... [-proofs N] [FILE.tlog-proof]...
  spina-ledger check -vkey KEY GAME.spina.zip...
  spina-ledger witness -vkey KEY -key FILE -state FOLDER [-listen ADDRESS]

read     fetches every entry and every tile, computes the tree from the entries and compares; asks the log for the
         proof of every N-th line, and checks it and the files; compares with the checkpoints of witnesses
check    makes the checks of a game that need no rules: chain, chance, seals, signatures, secret and ledger
witness  cosigns checkpoints that extend the last one it saw (C2SP tlog-witness); KEY is the log's, FILE its own
`

// many is a flag that may be given several times.
type many []string

func (given *many) String() string        { return strings.Join(*given, " ") }
func (given *many) Set(each string) error { *given = append(*given, each); return nil }

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return errors.New(usage)
	}
	flags := flag.NewFlagSet(arguments[0], flag.ContinueOnError)
	vkey := flags.String("vkey", "", "the key of the log, as NAME+ID+KEY")
	switch arguments[0] {
	case "read":
		var witnesses many
		log := flags.String("log", "", "the address of the log, such as https://games.example.org/v1/ledger")
		every := flags.Int64("proofs", 0, "ask for the proof of every N-th line; 0 for none")
		flags.Var(&witnesses, "witness", "the address of a witness")
		if err := flags.Parse(arguments[1:]); err != nil {
			return err
		}
		found, err := readLedger(*log, *vkey, witnesses, *every, flags.Args())
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(found)
	case "check":
		if err := flags.Parse(arguments[1:]); err != nil {
			return err
		}
		verdicts, err := checkBundles(*vkey, flags.Args())
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(verdicts)
	case "witness":
		key := flags.String("key", "", "the file of the witness's private key")
		state := flags.String("state", ".", "the folder of what was seen; never restore it")
		listen := flags.String("listen", "127.0.0.1:0", "the address to answer on")
		if err := flags.Parse(arguments[1:]); err != nil {
			return err
		}
		return serveWitness(*vkey, *key, *state, *listen)
	}
	return errors.New(usage)
}
