// Builds the pages of the web explorer: src/web to dist/web, files named by their hash, each beside its compressed forms.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const SOURCES = join('src', 'web')

/** The name of a file with the hash of its bytes: it can be cached for ever. */
function hashed(name, bytes) {
  const at = name.lastIndexOf('.')
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return `${name.slice(0, at)}-${hash}${name.slice(at)}`
}

/** A style sheet without comments and the blanks that mean nothing. */
const smallSheet = (text) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .replace(/: /g, ':')
    .trim()

/** The scripts by their names with hashes, the one that the page loads first, with all that it imports. Licences of packages stay in them. */
async function scripts(root) {
  const build = await rolldown({
    cwd: root,
    input: join(SOURCES, 'main.tsx'),
    platform: 'browser',
    tsconfig: join(root, SOURCES, 'tsconfig.json'),
    transform: { target: 'es2022' },
  })
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    comments: { legal: true },
    hashCharacters: 'hex',
    entryFileNames: '[name]-[hash:12].js',
    chunkFileNames: '[name]-[hash:12].js',
  })
  await build.close()
  const [first, ...more] = output
  if (!first.isEntry || more.some(({ isEntry }) => isEntry)) throw new Error('the page loads one script first')
  return output.map(({ fileName, code }) => [fileName, Buffer.from(code)])
}

/** Writes the pages of the sources in a folder; those of older builds go. */
export async function web(root) {
  const dir = join(root, 'dist', 'web')
  mkdirSync(dir, { recursive: true })
  const source = (name) => readFileSync(join(root, SOURCES, name), 'utf8')
  const parts = {
    'style.css': smallSheet(source('style.css')),
    'icon.svg': source('icon.svg').trim(),
  }
  const files = new Map(await scripts(root))
  const [main] = files.keys()
  let page = source('index.html').replace('./main.js"', `./${main}"`)
  for (const [name, text] of Object.entries(parts)) {
    const bytes = Buffer.from(text)
    files.set(hashed(name, bytes), bytes)
    page = page.replace(`./${name}"`, `./${hashed(name, bytes)}"`)
  }
  files.set('index.html', Buffer.from(page.replace(/\n\s*/g, '\n')))
  const written = new Set()
  const write = (name, bytes) => {
    writeFileSync(join(dir, name), bytes)
    written.add(name)
  }
  for (const [name, bytes] of files) {
    write(name, bytes)
    write(`${name}.gz`, gzipSync(bytes, { level: 9 }))
    write(`${name}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }))
  }
  for (const name of readdirSync(dir)) if (!written.has(name)) rmSync(join(dir, name))
}
