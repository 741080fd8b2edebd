import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishedManifest, sourcesOf, withAbsoluteLinks, type Manifest } from './publication.js'

// Publishes what `npm pack` packs, with the address of its sources in it: npm run release -- [options of npm publish]

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const folder = mkdtempSync(join(tmpdir(), 'ioredisson-'))

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'inherit' })
}

try {
  const web = sourcesOf(manifest)
  run('npm', ['pack', '--silent', '--pack-destination', folder], root)
  run('tar', ['-xzf', `${manifest.name}-${manifest.version}.tgz`], folder)
  const unpacked = join(folder, 'package')
  const readme = join(unpacked, 'README.md')
  writeFileSync(readme, withAbsoluteLinks(readFileSync(readme, 'utf8'), web))
  writeFileSync(
    join(unpacked, 'package.json'),
    `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`,
  )
  run('npm', ['publish', ...process.argv.slice(2)], unpacked)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
