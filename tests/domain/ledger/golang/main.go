// Writes what golang.org/x/mod/sumdb, an implementation by other people, says of trees, tiles and notes.
//
// In a folder with this file: `go mod init vectors`, `go get golang.org/x/mod`, `go run . > vectors.json`.
// Where there is no network, every Go release has the module's source under src/cmd/vendor.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The entries are "entry 0", "entry 1" and so on; a path is given as the SHA-256 of its hashes one after the other.
type inclusion struct {
	TreeSize int64  `json:"tree_size"`
	Index    int64  `json:"index"`
	Path     string `json:"path"`
}

type consistency struct {
	NewSize int64  `json:"new_size"`
	OldSize int64  `json:"old_size"`
	Path    string `json:"path"`
}

type tiles struct {
	OldSize int64  `json:"old_size"`
	NewSize int64  `json:"new_size"`
	Count   int    `json:"count"`
	Paths   string `json:"paths"`
	Hashes  string `json:"hashes"`
}

type tilePath struct {
	Path  string `json:"path"`
	Valid bool   `json:"valid"`
}

type opened struct {
	Note    string   `json:"note"`
	Verdict string   `json:"verdict"`
	Signers []string `json:"signers"`
}

type vectors struct {
	Roots         map[int64]string `json:"roots"`
	Inclusions    []inclusion      `json:"inclusions"`
	Consistencies []consistency    `json:"consistencies"`
	Tiles         []tiles          `json:"tiles"`
	TilePaths     []tilePath       `json:"tile_paths"`
	Keys          []string         `json:"keys"`
	Notes         []opened         `json:"notes"`
}

type storedHashes []tlog.Hash

func (stored *storedHashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		found = append(found, (*stored)[index])
	}
	return found, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func digest(hashes []tlog.Hash) string {
	sum := sha256.New()
	for _, hash := range hashes {
		sum.Write(hash[:])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func main() {
	var stored storedHashes
	for index := int64(0); index < 70_001; index++ {
		entry := []byte(fmt.Sprintf("entry %d", index))
		stored = append(stored, must(tlog.StoredHashes(index, entry, &stored))...)
	}
	found := vectors{Roots: map[int64]string{}}
	addTrees(&found, &stored)
	addTiles(&found, &stored)
	addTilePaths(&found)
	addNotes(&found)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(found); err != nil {
		panic(err)
	}
}

func addTrees(found *vectors, stored *storedHashes) {
	sizes := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 255, 256, 257, 511, 1000, 65_535, 65_536, 65_537, 70_000}
	for _, size := range sizes {
		root := must(tlog.TreeHash(size, stored))
		found.Roots[size] = hex.EncodeToString(root[:])
		places := map[int64]bool{}
		for _, index := range []int64{0, 1, 2, 5, size / 3, size / 2, size - 2, size - 1} {
			if index >= 0 && index < size && !places[index] {
				places[index] = true
				proof := must(tlog.ProveRecord(size, index, stored))
				found.Inclusions = append(found.Inclusions, inclusion{size, index, digest(proof)})
			}
		}
		for _, old := range sizes {
			if old <= size {
				proof := must(tlog.ProveTree(size, old, stored))
				found.Consistencies = append(found.Consistencies, consistency{size, old, digest(proof)})
			}
		}
	}
}

// Go's paths name the height of a tile first, and its entries "data".
func path(tile tlog.Tile) string {
	return "tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
}

func addTiles(found *vectors, stored *storedHashes) {
	spans := [][2]int64{{0, 1}, {0, 255}, {0, 256}, {0, 257}, {255, 256}, {256, 257}, {200, 300}, {1000, 1000},
		{0, 65_535}, {0, 65_536}, {0, 65_537}, {65_535, 65_536}, {65_536, 65_537}, {0, 70_000}, {65_000, 70_000}}
	for _, span := range spans {
		paths, hashes := sha256.New(), sha256.New()
		changed := tlog.NewTiles(8, span[0], span[1])
		for _, tile := range changed {
			fmt.Fprintln(paths, path(tile))
			hashes.Write(must(tlog.ReadTileData(tile, stored)))
		}
		found.Tiles = append(found.Tiles, tiles{span[0], span[1], len(changed),
			hex.EncodeToString(paths.Sum(nil)), hex.EncodeToString(hashes.Sum(nil))})
	}
}

func addTilePaths(found *vectors) {
	places := []string{"0/000", "0/x123/x456/078", "0/123/456/078", "0/x001/x234/067", "1/001.p/17", "2/000.p/1",
		"0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p/-1", "0/000.p/1 ", "0/0", "0/00", "0/0000", "0/x000/001",
		"0/x001", "0/x001/1", "0/999", "0/x001/000", "0/1000", "00/000", "+1/000", "-1/000", "x/000", "0/", "0", "",
		"0/000/", "0/000.p", "0/000.p/", "0/000.p/1/2", "0/.p/1", "0/xabc/000", "7/000"}
	for _, place := range places {
		tile, err := tlog.ParseTilePath("tile/8/" + place)
		valid := err == nil && path(tile) == "tile/"+place
		found.TilePaths = append(found.TilePaths, tilePath{"tile/" + place, valid})
	}
}

func addNotes(found *vectors) {
	seed := func(first byte) *strings.Reader {
		octets := make([]byte, 32)
		for place := range octets {
			octets[place] = first + byte(place)
		}
		return strings.NewReader(string(octets))
	}
	skeyAda, vkeyAda := mustKey(note.GenerateKey(seed(0x00), "ada.example/log"))
	skeyBob, vkeyBob := mustKey(note.GenerateKey(seed(0x20), "bob.example/log"))
	skeyEve, vkeyEve := mustKey(note.GenerateKey(seed(0x40), "eve.example/log"))
	found.Keys = []string{skeyAda, vkeyAda, skeyBob, vkeyBob, skeyEve, vkeyEve}
	ada, bob, eve := must(note.NewSigner(skeyAda)), must(note.NewSigner(skeyBob)), must(note.NewSigner(skeyEve))
	known := note.VerifierList(must(note.NewVerifier(vkeyAda)), must(note.NewVerifier(vkeyBob)))
	sign := func(text string, signers ...note.Signer) string {
		return string(must(note.Sign(&note.Note{Text: text}, signers...)))
	}
	short, long := "one line\n", "two\n\nparagraphs, é\n"
	both := sign(short, ada, bob)
	_, adaLine, _ := strings.Cut(sign(short, ada), "\n\n")
	_, eveLine, _ := strings.Cut(sign(short, eve), "\n\n")
	_, otherLine, _ := strings.Cut(sign(long, ada), "\n\n")
	_, otherLine, _ = strings.Cut(otherLine, "\n\n")
	notes := []string{sign(short, ada), both, sign(long, ada), sign(short, ada, eve), sign(short, eve, ada), sign(short, eve),
		sign("\n", ada), short, short + "\n", short + "\n" + adaLine[:len(adaLine)-1], short + adaLine, adaLine, "",
		short + "\n" + otherLine, short + "\n" + eveLine + otherLine, "other\n\n" + adaLine,
		short + "\n" + strings.Repeat(eveLine, 99) + adaLine, short + "\n" + strings.Repeat(eveLine, 100) + adaLine,
		strings.Replace(both, "— ", "- ", 1), strings.Replace(both, "— ", "—", 1), strings.Replace(both, "— ", "—  ", 1),
		strings.Replace(both, "=\n", "\n", 1), strings.Replace(both, "bob.", "b+b.", 1),
		strings.Replace(both, "bob.", "b\u00a0b.", 1), strings.Replace(both, "bob.", "b\u2028b.", 1),
		strings.Replace(both, "bob.", "carol.", 1), strings.Replace(both, "one", "o\te", 1),
		strings.Replace(both, "one", "o\re", 1), strings.Replace(both, "one", "o\x7fe", 1),
		strings.Replace(both, "\n\n", "\n \n", 1), both + "\n", both + both, short + "\n— ada.example/log AAAAAA==\n",
		short + "\n— ada.example/log AAAAAAA=\n"}
	for _, text := range notes {
		found.Notes = append(found.Notes, open(text, known))
	}
}

func mustKey(skey, vkey string, err error) (string, string) {
	if err != nil {
		panic(err)
	}
	return skey, vkey
}

func open(text string, known note.Verifiers) opened {
	result := opened{Note: text, Verdict: "malformed", Signers: []string{}}
	note_, err := note.Open([]byte(text), known)
	switch err.(type) {
	case nil:
		result.Verdict = "signed"
		for _, signature := range note_.Sigs {
			result.Signers = append(result.Signers, signature.Name)
		}
	case *note.UnverifiedNoteError:
		result.Verdict = "unknown"
	case *note.InvalidSignatureError:
		result.Verdict = "bad"
	}
	return result
}
