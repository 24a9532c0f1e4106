package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"
)

const linksPerChain = 1024

// Chance is the state of docs/proof.md, section 4: the pool, the waiting contributions, and the next link.
type chance struct {
	pool    []byte
	waiting []contribution
	anchors []string
	last    string
	used    int
	draws   map[string]int
}

type contribution struct {
	seat  int
	nonce []byte
}

func openChance(game string, anchors []string) *chance {
	state := &chance{pool: hash("spina/pool/v1\x00", game), anchors: anchors, draws: map[string]int{}}
	if len(anchors) > 0 {
		state.last = anchors[0]
	}
	return state
}

func hash(parts ...string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "")))
	return sum[:]
}

func mac(key []byte, message []byte) []byte {
	sum := hmac.New(sha256.New, key)
	sum.Write(message)
	return sum.Sum(nil)
}

// follows says whether a link is the one before which another was disclosed.
func follows(previous, link string) bool {
	raw, err := hex.DecodeString(link)
	return err == nil && len(link) == 64 && hex.EncodeToString(hash(string(raw))) == previous
}

// draw mixes what waits, in the order of seats, and counts the label; it returns the label that was due.
func (state *chance) draw(name string) string {
	sort.SliceStable(state.waiting, func(one, other int) bool { return state.waiting[one].seat < state.waiting[other].seat })
	for _, each := range state.waiting {
		state.pool = hash(string(state.pool), string(each.nonce))
	}
	state.waiting = nil
	state.draws[name]++
	return fmt.Sprintf("%s:%d", name, state.draws[name])
}

func nameOf(label string) string {
	if place := strings.LastIndex(label, ":"); place >= 0 {
		return label[:place]
	}
	return ""
}

// roll checks the place and link of a roll, then its faces: which of the two checks fails, and why.
func (state *chance) roll(data rolled) (check string, err error) {
	label := state.draw(nameOf(data.Label))
	chain, index := state.used/linksPerChain+1, state.used%linksPerChain+1
	switch {
	case chain > len(state.anchors):
		return "dice-links", fmt.Errorf("expected no dice after the last link")
	case data.Label != label || data.Chain != chain || data.Index != index:
		return "dice-links", fmt.Errorf("expected %s, chain %d, index %d", label, chain, index)
	case !follows(state.last, data.Link):
		return "dice-links", fmt.Errorf("expected the link before %s", state.last)
	case data.Sides < 1 || data.Sides > 1_000_000 || len(data.Faces) == 0:
		return "dice-links", fmt.Errorf("expected dice")
	}
	state.used++
	state.last = data.Link
	if state.used%linksPerChain == 0 && state.used/linksPerChain < len(state.anchors) {
		state.last = state.anchors[state.used/linksPerChain]
	}
	link, _ := hex.DecodeString(data.Link)
	next := below(mac(link, append(append([]byte{}, state.pool...), label...)))
	for place, face := range data.Faces {
		if due := next(data.Sides) + 1; face != due {
			return "dice-faces", fmt.Errorf("expected face %d to be %d, found %d", place+1, due, face)
		}
	}
	return "", nil
}

// below gives numbers from a key, one after the other, each from 0 to n-1.
func below(key []byte) func(n uint64) uint64 {
	var block []byte
	number := uint64(0)
	return func(n uint64) uint64 {
		for {
			if len(block) == 0 {
				block = mac(key, binary.BigEndian.AppendUint64(nil, number))
				number++
			}
			word := binary.BigEndian.Uint64(block)
			block = block[8:]
			// 2^64 mod n, without a number that has no room for 2^64.
			if rest := -n % n; word <= ^uint64(0)-rest {
				return word % n
			}
		}
	}
}
