// Writes the hash of the newest ABI, and those of its features, where tests compare them with the declarations: into
// test/fixtures/newest-abi.json and docs/operate/upgrades.md. Earlier ABIs are frozen, and their hashes are written nowhere.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { NEWEST_ABI, pinOf } = await import(join(root, 'dist', 'src', 'features', 'abi.js'))

const pin = pinOf(NEWEST_ABI)
const { number, hash } = pin
writeFileSync(join(root, 'test', 'fixtures', 'newest-abi.json'), `${JSON.stringify(pin, null, 2)}\n`)

const page = join(root, 'docs', 'operate', 'upgrades.md')
const text = readFileSync(page, 'utf8')
  .replace(new RegExp(`^ABI ${number} {2}[0-9a-f]{64}$`, 'm'), `ABI ${number}  ${hash}`)
  .replace(new RegExp(`--abi ${number} --abi-hash [0-9a-f]{8}…`), `--abi ${number} --abi-hash ${hash.slice(0, 8)}…`)
writeFileSync(page, text)
console.log(`ABI ${number}  ${hash}`)
