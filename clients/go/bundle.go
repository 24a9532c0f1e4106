package main

import (
	"archive/zip"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The checks of docs/proof.md, section 10, that need no rules: a beginning for a verifier in another language. It
// reads lines that another verifier takes for well formed, and looks at neither fields, clocks nor the container.
var freeOfRules = []string{"chain", "dice-links", "dice-faces", "contributions", "seals", "signatures", "secret",
	"inclusion", "checkpoint"}

const memberMax = 16 * 1024 * 1024

// The edition of docs/proof.md that is read: the first member of every bundle names it.
const format = "spina/bundle/v1\n"

type line struct {
	At, By, Kind, Prev, Stream, Type string
	Base, Command, Sig               *string
	Data                             json.RawMessage
	Version                          int
	hash                             string
}

type rolled struct {
	Label        string
	Chain, Index int
	Link         string
	Sides        uint64
	Faces        []uint64
}

// An event has the fields, of all types, that the checks look at.
type event struct {
	Seat                         int
	Anchor, Nonce, Key           *string
	Links                        int
	Decision, Seal, Salt, Secret string
	Action                       json.RawMessage
	Deck, Commit, Ledger         string
	LeafKey                      string `json:"leaf_key"`
	Anchors                      []string
	Organisers                   map[string]*string
}

type bundle struct {
	lines  []line
	events []event
	proof  []byte
	key    note.Verifier
}

// A verdict has the checks that do not hold, with the reason.
type verdict struct {
	File   string            `json:"file"`
	Lines  int               `json:"lines"`
	Broken map[string]string `json:"broken"`
}

func checkBundles(vkey string, files []string) ([]verdict, error) {
	key, err := note.NewVerifier(vkey)
	if err != nil {
		return nil, err
	}
	var verdicts []verdict
	for _, file := range files {
		read, err := readBundle(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		read.key = key
		found := verdict{file, len(read.lines), map[string]string{}}
		for _, name := range freeOfRules {
			if err := read.check(name); err != nil {
				found.Broken[name] = err.Error()
			}
		}
		verdicts = append(verdicts, found)
	}
	return verdicts, nil
}

func readBundle(file string) (*bundle, error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	members := map[string][]byte{}
	for _, member := range archive.File {
		opened, err := member.Open()
		if err != nil {
			return nil, err
		}
		raw, err := io.ReadAll(io.LimitReader(opened, memberMax))
		opened.Close()
		if err != nil {
			return nil, err
		}
		members[member.Name] = raw
	}
	if len(archive.File) == 0 || archive.File[0].Name != "format" || string(members["format"]) != format {
		return nil, fmt.Errorf("expected the format %q, found %q", format, members["format"])
	}
	read := &bundle{proof: members["last.tlog-proof"]}
	for _, raw := range strings.Split(strings.TrimSuffix(string(members["log.ndjson"]), "\n"), "\n") {
		var each line
		var said event
		if err := json.Unmarshal([]byte(raw), &each); err != nil {
			return nil, err
		}
		// Fields of the rules' own outcomes may have other types; these checks look at none of them.
		json.Unmarshal(each.Data, &said)
		each.hash = hex.EncodeToString(hash(raw))
		read.lines, read.events = append(read.lines, each), append(read.events, said)
	}
	return read, nil
}

func (read *bundle) check(name string) error {
	switch name {
	case "chain":
		return read.checkChain()
	case "dice-links", "dice-faces":
		return read.checkDice(name)
	case "contributions":
		return read.checkContributions()
	case "seals":
		return read.checkSeals()
	case "signatures":
		return read.checkSignatures()
	case "secret":
		return read.checkSecret()
	case "inclusion":
		return read.checkInclusion()
	}
	return read.checkCheckpoint()
}

func (read *bundle) checkChain() error {
	prev, at := strings.Repeat("0", 64), ""
	for place, each := range read.lines {
		if each.Prev != prev || each.Version != place+1 || each.At < at || each.Stream != read.lines[0].Stream {
			return fmt.Errorf("line %d: expected the line after %s", place+1, prev)
		}
		if each.Kind == "outcome" && each.At != at {
			return fmt.Errorf("line %d: expected the time of its input, %s", place+1, at)
		}
		prev, at = each.hash, each.At
	}
	return nil
}

func contributes(kind string) bool {
	return kind == "seat_readied" || kind == "action_revealed" || kind == "action_played"
}

// checkDice names the first roll of which a check does not hold; after a wrong link no later face can be told.
func (read *bundle) checkDice(name string) error {
	state := openChance(read.lines[0].Stream, read.events[0].Anchors)
	for place, each := range read.lines {
		said := read.events[place]
		switch {
		case contributes(each.Type) && said.Nonce != nil:
			nonce, _ := hex.DecodeString(*said.Nonce)
			state.waiting = append(state.waiting, contribution{said.Seat, nonce})
		case each.Type == "deck_shuffled":
			state.draw(said.Deck)
		case each.Type == "dice_rolled":
			var roll rolled
			if err := json.Unmarshal(each.Data, &roll); err != nil {
				return err
			}
			check, err := state.roll(roll)
			if check == name {
				return fmt.Errorf("line %d: %w", each.Version, err)
			}
			if check == "dice-links" {
				return nil
			}
		}
	}
	return nil
}

// checkContributions asks each seat for its next link; a stand-in brings none, nor does the reveal of its seal.
func (read *bundle) checkContributions() error {
	last, left, byHouse := map[int]string{}, map[int]int{}, map[string]bool{}
	for place, each := range read.lines {
		said := read.events[place]
		about := fmt.Sprintf("%d %s", said.Seat, said.Decision)
		switch {
		case each.Type == "action_sealed":
			byHouse[about] = each.By == "house"
		case each.Type == "seat_taken":
			left[said.Seat] = said.Links
			if said.Anchor != nil {
				last[said.Seat] = *said.Anchor
			}
		case !contributes(each.Type):
		case each.By == "house" || each.Type == "action_revealed" && byHouse[about]:
			if said.Nonce != nil {
				return fmt.Errorf("line %d: expected no nonce of a stand-in", each.Version)
			}
		case left[said.Seat] == 0 && said.Nonce != nil:
			return fmt.Errorf("line %d: expected no nonce", each.Version)
		case left[said.Seat] > 0:
			if said.Nonce == nil || !follows(last[said.Seat], *said.Nonce) {
				return fmt.Errorf("line %d: expected the next link of seat %d", each.Version, said.Seat)
			}
			last[said.Seat], left[said.Seat] = *said.Nonce, left[said.Seat]-1
		}
	}
	return nil
}

func (read *bundle) checkSeals() error {
	seals := map[string]string{}
	for place, each := range read.lines {
		said := read.events[place]
		about := fmt.Sprintf("%d\x00%s", said.Seat, said.Decision)
		switch each.Type {
		case "action_sealed":
			seals[about] = said.Seal
		case "action_revealed":
			salt, _ := hex.DecodeString(said.Salt)
			made := hash("spina/seal/v1\x00", each.Stream, "\x00", about, "\x00", string(salt), string(said.Action))
			if seals[about] != hex.EncodeToString(made) {
				return fmt.Errorf("line %d: expected the action that was sealed", each.Version)
			}
			delete(seals, about)
		}
	}
	return nil
}

func (read *bundle) checkSignatures() error {
	keys := map[string]*string{}
	for id, key := range read.events[0].Organisers {
		keys["organiser:"+id] = key
	}
	for place, each := range read.lines[1:] {
		if each.Type == "seat_taken" {
			keys[each.By] = read.events[place+1].Key
		}
		if each.Kind != "input" {
			continue
		}
		key := keys[each.By]
		if (key == nil) != (each.Sig == nil) || key != nil && !isSigned(each, *key) {
			return fmt.Errorf("line %d: expected a signature by the key of %s, or none without one", each.Version, each.By)
		}
	}
	return nil
}

// isSigned composes the signed text out of the bytes of the line, which are canonical.
func isSigned(each line, key string) bool {
	public, err := hex.DecodeString(key)
	signature, sigErr := hex.DecodeString(*each.Sig)
	if err != nil || sigErr != nil || len(public) != ed25519.PublicKeySize || each.Base == nil || each.Command == nil {
		return false
	}
	body := fmt.Sprintf(`{"base":"%s","command":"%s","data":%s,"stream":"%s","type":"%s"}`,
		*each.Base, *each.Command, each.Data, each.Stream, each.Type)
	message := fmt.Sprintf("DSSEv1 32 application/vnd.spina.input+json %d %s", len(body), body)
	return ed25519.Verify(public, []byte(message), signature)
}

func (read *bundle) checkSecret() error {
	for place, each := range read.lines {
		if each.Type != "secret_disclosed" {
			continue
		}
		secret, err := hex.DecodeString(read.events[place].Secret)
		if err != nil {
			return err
		}
		opened := read.events[0]
		if hex.EncodeToString(hash("spina/commit/v1\x00", each.Stream, "\x00", string(secret))) != opened.Commit {
			return fmt.Errorf("line %d: expected the secret of the commitment", each.Version)
		}
		for chain, anchor := range opened.Anchors {
			link := mac(secret, []byte(fmt.Sprintf("spina/links/v1/%d", chain+1)))
			for step := 0; step < linksPerChain; step++ {
				link = hash(string(link))
			}
			if hex.EncodeToString(link) != anchor {
				return fmt.Errorf("line %d: expected the secret of anchor %d", each.Version, chain+1)
			}
		}
		return nil
	}
	return nil
}

func (read *bundle) checkInclusion() error {
	place, path, signed, err := parseProof(read.proof)
	if err != nil {
		return err
	}
	under, err := parseCheckpoint(signed)
	if err != nil {
		return err
	}
	last := read.lines[len(read.lines)-1]
	key, keyErr := hex.DecodeString(read.events[0].LeafKey)
	line, lineErr := hex.DecodeString(last.hash)
	if keyErr != nil || lineErr != nil {
		return errors.New("expected a leaf key")
	}
	leaf := fmt.Sprintf("%s %d %x\n", read.lines[0].Stream, len(read.lines), mac(key, line))
	return tlog.CheckRecord(path, under.tree.N, under.tree.Hash, place, tlog.RecordHash([]byte(leaf)))
}

func (read *bundle) checkCheckpoint() error {
	_, _, signed, err := parseProof(read.proof)
	if err == nil {
		_, err = openCheckpoint([]byte(signed), read.key)
	}
	if err == nil && read.events[0].Ledger != read.key.Name() {
		err = fmt.Errorf("expected a game of %s, found one of %s", read.key.Name(), read.events[0].Ledger)
	}
	return err
}
