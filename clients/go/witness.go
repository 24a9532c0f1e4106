package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The largest request: a note and 63 hashes.
const requestMax = 1_000_000

// For a whole request: a client that sends a byte a second would keep a connection for ever.
const requestTimeout = 10 * time.Second

// A witness of one log. Its memory is one file: the newest checkpoint that it has cosigned.
type witness struct {
	log    note.Verifier
	signer *cosigner
	file   string
	// Guards the file between reading and writing.
	turn sync.Mutex
}

// A refusal is an answer without a cosignature.
type refusal struct {
	status int
	body   string
}

func (refused refusal) Error() string { return refused.body }

func serveWitness(vkey, keyFile, state, listen string) error {
	log, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	signer, err := parseCosigner(string(text))
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%x", sha256.Sum256([]byte(log.Name())))
	witness := &witness{log: log, signer: signer, file: filepath.Join(state, name)}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Printf("witness at http://%s\n", listener.Addr())
	routes := http.NewServeMux()
	routes.HandleFunc("/add-checkpoint", witness.addCheckpoint)
	routes.HandleFunc("/"+name+"/checkpoint", witness.readLatest)
	server := http.Server{Handler: routes, ReadTimeout: requestTimeout}
	return server.Serve(listener)
}

func (witness *witness) addCheckpoint(answer http.ResponseWriter, request *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, requestMax))
	if err == nil {
		var lines string
		if lines, err = witness.decide(string(raw)); err == nil {
			io.WriteString(answer, lines)
			return
		}
	}
	refused := refusal{http.StatusInternalServerError, err.Error() + "\n"}
	errors.As(err, &refused)
	if refused.status == http.StatusConflict {
		answer.Header().Set("content-type", "text/x.tlog.size")
	}
	answer.WriteHeader(refused.status)
	io.WriteString(answer, refused.body)
}

func (witness *witness) readLatest(answer http.ResponseWriter, _ *http.Request) {
	raw, err := os.ReadFile(witness.file)
	if err != nil {
		http.Error(answer, "no checkpoint yet", http.StatusNotFound)
		return
	}
	answer.Write(raw)
}

// decide returns the cosignature of a checkpoint that extends the last one, or an error that may be a refusal.
func (witness *witness) decide(request string) (string, error) {
	head, signed, ok := strings.Cut(request, "\n\n")
	lines := strings.Split(head, "\n")
	old, err := parseSize(strings.TrimPrefix(lines[0], "old "))
	path, pathErr := parsePath(lines[1:])
	claimed, claimErr := parseCheckpoint(signed)
	if !ok || err != nil || pathErr != nil || claimErr != nil || !strings.HasPrefix(lines[0], "old ") || len(path) > 63 {
		return "", refusal{http.StatusBadRequest, "expected old and a size, hashes, and a checkpoint\n"}
	}
	if claimed.origin != witness.log.Name() {
		return "", refusal{http.StatusNotFound, "this log is not watched here\n"}
	}
	next, err := openCheckpoint([]byte(signed), witness.log)
	switch err.(type) {
	case nil:
	case *note.UnverifiedNoteError, *note.InvalidSignatureError:
		return "", refusal{http.StatusForbidden, "expected a signature of the log\n"}
	default:
		return "", refusal{http.StatusBadRequest, err.Error() + "\n"}
	}
	if old > next.tree.N {
		return "", refusal{http.StatusBadRequest, "expected an old size that is no larger than the new one\n"}
	}
	return witness.extend(old, path, next)
}

// extend stores the new checkpoint before it signs it.
func (witness *witness) extend(old int64, path tlog.TreeProof, next checkpoint) (string, error) {
	witness.turn.Lock()
	defer witness.turn.Unlock()
	latest, err := witness.recall()
	if err != nil {
		return "", err
	}
	if old != latest.N {
		return "", refusal{http.StatusConflict, fmt.Sprintf("%d\n", latest.N)}
	}
	if !extends(latest, path, next.tree) {
		return "", refusal{http.StatusUnprocessableEntity, "the log is not the one seen before, grown\n"}
	}
	cosigned, err := note.Sign(&note.Note{Text: next.note.Text, Sigs: next.note.Sigs}, witness.signer)
	if err != nil {
		return "", err
	}
	if err := store(witness.file, cosigned); err != nil {
		return "", err
	}
	own := strings.LastIndex(strings.TrimSuffix(string(cosigned), "\n"), "\n")
	return string(cosigned[own+1:]), nil
}

// extends says whether a tree is the latest one, grown. Package tlog proves nothing about empty trees.
func extends(latest tlog.Tree, path tlog.TreeProof, next tlog.Tree) bool {
	switch latest.N {
	case 0:
		return len(path) == 0
	case next.N:
		return len(path) == 0 && next.Hash == latest.Hash
	}
	return tlog.CheckTree(path, next.N, next.Hash, latest.N, latest.Hash) == nil
}

func (witness *witness) recall() (tlog.Tree, error) {
	raw, err := os.ReadFile(witness.file)
	if errors.Is(err, os.ErrNotExist) {
		return tlog.Tree{}, nil
	}
	if err != nil {
		return tlog.Tree{}, err
	}
	latest, err := openCheckpoint(raw, witness.log)
	return latest.tree, err
}

// store returns when the file would survive a loss of power.
func store(path string, raw []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(raw)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	return err
}

// syncFolder makes a rename survive a loss of power: the new name is in the folder, which is a file of its own.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
