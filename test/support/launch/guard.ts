import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

/**
 * Sees to it that nothing is left of this process's servers and folders, however this process ends.
 *
 * A shell reads from this process which processes to watch. When the pipe ends, and it ends even when this process is
 * killed with SIGKILL, the shell kills those that are still there and removes the folder.
 */
class Guard {
  /** Everything temporary goes in here. */
  readonly folder: string
  readonly #toShell: Writable

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'ioredisson-test-'))
    // A session of its own, so that Ctrl+C and a signal to the group end this process first, and not the shell.
    const shell = spawn('/bin/sh', ['-c', WATCH, 'watch', this.folder], {
      detached: true,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    shell.stdin.on('error', () => undefined) // without the shell there is nothing to notify
    ;(shell.stdin as Writable & { unref(): void }).unref() // it is a pipe, despite its declared type
    shell.unref()
    this.#toShell = shell.stdin
  }

  protect(child: ChildProcess): void {
    const { pid } = child
    if (pid === undefined) return // it did not start
    this.#tell(`watch ${pid}`)
    child.once('exit', () => {
      this.#tell(`forget ${pid}`) // before the number can belong to another process
    })
  }

  #tell(line: string): void {
    this.#toShell.write(`${line}\n`)
  }
}

const WATCH = `
trap '' INT TERM HUP
pids=' '
while read -r verb pid; do
  case $verb in
    watch) pids="$pids$pid " ;;
    forget) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
for pid in $pids; do kill -KILL "$pid"; done
rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
`

let guard: Guard | undefined

/** Has a child process killed, at the latest, when this process ends. */
export function protect(child: ChildProcess): void {
  guard ??= new Guard()
  guard.protect(child)
}

/** A new folder that is removed, at the latest, when this process ends. */
export function temporaryFolder(): string {
  guard ??= new Guard()
  return mkdtempSync(join(guard.folder, 'folder-'))
}
