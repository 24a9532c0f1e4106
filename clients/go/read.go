package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
	// The largest answer that is read: a bundle of 256 entries.
	sizeMax = 256 * 1024
	// How often a busy server is asked for one file.
	askedMax = 10
	// The longest pause that a busy server is given.
	pauseMaxS = 60
)

// found is the sum of a reading, for people and tests.
type found struct {
	Origin  string `json:"origin"`
	Size    int64  `json:"size"`
	Root    string `json:"root"`
	Tiles   int    `json:"tiles"`
	Bundles int    `json:"bundles"`
	Files   string `json:"files"`
	Streams int    `json:"streams"`
	Proofs  int    `json:"proofs"`
	// Proofs that the log does not show: of private games.
	Hidden    int `json:"hidden"`
	Witnesses int `json:"witnesses"`
}

// A reading has every entry of the log under one checkpoint, and the hashes of its tree by package tlog.
type reading struct {
	log     string
	key     note.Verifier
	signed  checkpoint
	entries [][]byte
	hashes  []tlog.Hash
	found   found
}

var client = http.Client{Timeout: 30 * time.Second}

var errNotShown = errors.New("expected a file, found none")

// fetch returns the body of an answer; a busy server is asked again after the pause that it asks for.
func fetch(url string) ([]byte, error) {
	answer, err := client.Get(url)
	for asked := 1; err == nil && answer.StatusCode == http.StatusTooManyRequests && asked < askedMax; asked++ {
		answer.Body.Close()
		time.Sleep(readPause(answer.Header.Get("retry-after")))
		answer, err = client.Get(url)
	}
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, sizeMax+1))
	switch {
	case err != nil:
		return nil, err
	case answer.StatusCode == http.StatusNotFound:
		return nil, fmt.Errorf("%s: %w", url, errNotShown)
	case answer.StatusCode != http.StatusOK || len(raw) > sizeMax:
		return nil, fmt.Errorf("expected a file at %s, found status %d and %d bytes", url, answer.StatusCode, len(raw))
	}
	return raw, nil
}

// readPause reads a pause in seconds, of at least one second, also where none or a date is asked for.
func readPause(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 1 {
		seconds = 1
	}
	if seconds > pauseMaxS {
		seconds = pauseMaxS
	}
	return time.Duration(seconds) * time.Second
}

// ReadHashes makes the reading a tlog.HashReader.
func (read *reading) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var hashes []tlog.Hash
	for _, index := range indexes {
		hashes = append(hashes, read.hashes[index])
	}
	return hashes, nil
}

func readLedger(log, vkey string, witnesses []string, every int64, files []string) (*found, error) {
	key, err := note.NewVerifier(vkey)
	if err != nil {
		return nil, err
	}
	read := &reading{log: strings.TrimSuffix(log, "/"), key: key}
	for _, step := range []func() error{
		read.fetchCheckpoint,
		read.readEntries,
		read.compareTiles,
		read.checkTurns,
		func() error { return read.checkProofs(every) },
		func() error { return read.checkFiles(files) },
		func() error { return read.compareWitnesses(witnesses) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return &read.found, nil
}

func (read *reading) fetchCheckpoint() error {
	raw, err := fetch(read.log + "/checkpoint")
	if err != nil {
		return err
	}
	read.signed, err = openCheckpoint(raw, read.key)
	tree := read.signed.tree
	read.found = found{Origin: read.signed.origin, Size: tree.N, Root: fmt.Sprintf("%x", tree.Hash[:])}
	return err
}

// readEntries computes the tree from the entries alone, and compares its root with the signed one.
func (read *reading) readEntries() error {
	size := read.signed.tree.N
	for _, tile := range tilesOf(-1, size) {
		raw, err := read.fetchTile(tile)
		if err != nil {
			return err
		}
		if err := read.addBundle(raw, tile.W); err != nil {
			return fmt.Errorf("%s: %w", pathOf(tile), err)
		}
		read.found.Bundles++
	}
	root, err := tlog.TreeHash(size, read)
	if err == nil && root != read.signed.tree.Hash {
		err = fmt.Errorf("expected entries of the root %s, found %s", read.signed.tree.Hash, root)
	}
	return err
}

// tilesOf lists the tiles of one level that has so many hashes or entries, each as wide as it is.
func tilesOf(level int, count int64) []tlog.Tile {
	var tiles []tlog.Tile
	for first := int64(0); first < count; first += tileWidth {
		width := count - first
		if width > tileWidth {
			width = tileWidth
		}
		tiles = append(tiles, tlog.Tile{H: tileHeight, L: level, N: first / tileWidth, W: int(width)})
	}
	return tiles
}

// fetchTile returns a tile or bundle; a log may have only the full one by now, which is cut.
func (read *reading) fetchTile(tile tlog.Tile) ([]byte, error) {
	raw, err := fetch(read.log + "/" + pathOf(tile))
	if !errors.Is(err, errNotShown) || tile.W == tileWidth {
		return raw, err
	}
	full := tile
	full.W = tileWidth
	if raw, err = fetch(read.log + "/" + pathOf(full)); err != nil {
		return nil, err
	}
	end := tile.W * tlog.HashSize
	if tile.L < 0 {
		end = 0
		for entry := 0; entry < tile.W && end+2 <= len(raw); entry++ {
			end += 2 + int(binary.BigEndian.Uint16(raw[end:]))
		}
	}
	if end > len(raw) {
		return nil, fmt.Errorf("%s: expected a full tile, found %d bytes", pathOf(full), len(raw))
	}
	return raw[:end], nil
}

// addBundle reads entries, each behind its size as a big-endian uint16.
func (read *reading) addBundle(raw []byte, width int) error {
	for ; width > 0; width-- {
		if len(raw) < 2 || len(raw) < 2+int(binary.BigEndian.Uint16(raw)) {
			return errors.New("expected whole entries")
		}
		end := 2 + int(binary.BigEndian.Uint16(raw))
		entry := raw[2:end]
		added, err := tlog.StoredHashes(int64(len(read.entries)), entry, read)
		if err != nil {
			return err
		}
		read.entries, read.hashes, raw = append(read.entries, entry), append(read.hashes, added...), raw[end:]
	}
	if len(raw) != 0 {
		return errors.New("expected no further entries")
	}
	return nil
}

// pathOf is C2SP's: without the height that Go's paths name first, and with another name for entries.
func pathOf(tile tlog.Tile) string {
	path := strings.TrimPrefix(tile.Path(), "tile/8/")
	return "tile/" + strings.Replace(path, "data/", "entries/", 1)
}

// compareTiles fetches every tile of the tree, and compares it with the hashes of the entries.
func (read *reading) compareTiles() error {
	all := sha256.New()
	var tiles []tlog.Tile
	for level, count := 0, read.signed.tree.N; count > 0; level, count = level+1, count/tileWidth {
		tiles = append(tiles, tilesOf(level, count)...)
	}
	for _, tile := range tiles {
		expected, err := tlog.ReadTileData(tile, read)
		if err != nil {
			return err
		}
		raw, err := read.fetchTile(tile)
		if err != nil {
			return err
		}
		if !bytes.Equal(raw, expected) {
			return fmt.Errorf("%s: expected the hashes of the entries, found others", pathOf(tile))
		}
		fmt.Fprintln(all, pathOf(tile))
		all.Write(raw)
		read.found.Tiles++
	}
	read.found.Files = fmt.Sprintf("%x", all.Sum(nil))
	return nil
}

// checkTurns looks for a line that is logged twice: the leaves of a stream are its versions 1, 2, 3 and so on.
func (read *reading) checkTurns() error {
	versions := map[string]int{}
	for index, entry := range read.entries {
		stream, version, err := parseLeaf(entry)
		if err != nil {
			return fmt.Errorf("entry %d: %w", index, err)
		}
		versions[stream]++
		if version != versions[stream] {
			return fmt.Errorf("entry %d: expected line %d of %s, found line %d", index, versions[stream], stream, version)
		}
	}
	read.found.Streams = len(versions)
	return nil
}

func parseLeaf(entry []byte) (string, int, error) {
	parts := strings.Split(strings.TrimSuffix(string(entry), "\n"), " ")
	if len(parts) != 3 || len(parts[0]) != 36 || len(parts[2]) != 64 {
		return "", 0, errors.New("expected a stream, a version and a mac")
	}
	version, err := strconv.Atoi(parts[1])
	return parts[0], version, err
}

// checkProofs asks the log for the proof of every so-manieth line.
func (read *reading) checkProofs(every int64) error {
	for index := int64(0); every > 0 && index < read.signed.tree.N; index += every {
		stream, version, _ := parseLeaf(read.entries[index])
		raw, err := fetch(fmt.Sprintf("%s/proofs/%s/%d", read.log, stream, version))
		if errors.Is(err, errNotShown) {
			read.found.Hidden++
			continue
		}
		if err == nil {
			err = read.checkProof(raw, index)
		}
		if err != nil {
			return fmt.Errorf("proof of entry %d: %w", index, err)
		}
	}
	return nil
}

func (read *reading) checkFiles(files []string) error {
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err == nil {
			err = read.checkProof(raw, -1)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// checkProof checks a C2SP tlog-proof of an entry, and that its checkpoint is one of this log. An index below 0 is any.
func (read *reading) checkProof(raw []byte, index int64) error {
	place, path, signed, err := parseProof(raw)
	if err != nil {
		return err
	}
	if place >= int64(len(read.entries)) || index >= 0 && place != index {
		return fmt.Errorf("expected the index of the entry, found %d", place)
	}
	under, err := openCheckpoint([]byte(signed), read.key)
	if err != nil {
		return err
	}
	if err := read.checkGrowth(under); err != nil {
		return err
	}
	read.found.Proofs++
	return tlog.CheckRecord(path, under.tree.N, under.tree.Hash, place, tlog.RecordHash(read.entries[place]))
}

// checkGrowth compares another checkpoint of the log with the entries up to its size.
func (read *reading) checkGrowth(other checkpoint) error {
	size := read.signed.tree.N
	if other.tree.N > size {
		return fmt.Errorf("expected at most the %d entries that the log shows, found a checkpoint over %d", size, other.tree.N)
	}
	root, err := tlog.TreeHash(other.tree.N, read)
	if err == nil && root != other.tree.Hash {
		err = fmt.Errorf("two histories: at size %d another root was signed, %s and not %s", other.tree.N, other.tree.Hash, root)
	}
	return err
}

// compareWitnesses compares the newest checkpoint that each witness has cosigned with the log.
func (read *reading) compareWitnesses(witnesses []string) error {
	name := fmt.Sprintf("%x", sha256.Sum256([]byte(read.signed.origin)))
	for _, witness := range witnesses {
		raw, err := fetch(strings.TrimSuffix(witness, "/") + "/" + name + "/checkpoint")
		if err != nil {
			return err
		}
		seen, err := openCheckpoint(raw, read.key)
		if err == nil {
			err = read.checkGrowth(seen)
		}
		if err != nil {
			return fmt.Errorf("witness %s: %w", witness, err)
		}
		read.found.Witnesses++
	}
	return nil
}
