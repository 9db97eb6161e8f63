/** Texts that users read keep to the words of the field, and what comments and pages cite is in the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONSENSUS_ROUTES } from '../../src/api/consensus-routes.js'
import { OPERATOR_ROUTES } from '../../src/api/operator-routes.js'
import { NODE_ROUTES } from '../../src/api/routes.js'
import { STREAM_ROUTES } from '../../src/api/streams.js'
import { FEATURE_ROUTES } from '../../src/features/composed.js'
import { ERRORS } from '../../src/model/error-catalogue.js'

/** A word that says less than another one: what it is found by, and what to write instead. */
const REFUSED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bsets? off\b/i, 'trigger'],
  [/\bstands? (in|at|elsewhere|before|still|twice|on)\b/i, 'is in, is at, is based on, is stalled'],
  [/\blies? (in|between|ahead|back|on|apart)\b/i, 'belongs to, must be between, is in'],
  [/\b(does|do) not hold\b/i, 'is invalid'],
  [/\bbarred\b/i, 'blacklisted, frozen, refused'],
  [/\bcomes? of\b/i, 'belongs to, results from'],
  [/(?<!\bthere )\bis no (?!longer\b|fault\b)[a-z]/i, 'is not a'],
  [/\bnot taken\b/i, 'not accepted'],
  [/\bspeaks? (for|TLS)\b/i, 'may sign for, uses'],
  [/\bwhoever\b/i, 'anyone who, the peer that'],
  [/\bgoes by\b/i, 'is named'],
  [/\bas (things|it|they) stands?\b/i, 'the current'],
  [/\b(judged?|verdict)\b/i, 'validate, result'],
  [/\bJSON twin\b/i, 'JSON form'],
  [/\bacts? two heights on\b/i, 'takes effect two heights later'],
]

const wordsIn = (text: string): string[] =>
  REFUSED.flatMap(([word, instead]) => {
    const found = word.exec(text)
    return found === null ? [] : [`"${found[0]}": write ${instead}; in: ${text.slice(0, 120)}`]
  })

const read = (path: string): string => readFileSync(path, 'utf8')
const pagesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
/** The sentences of a page: not its code, and links by their text alone. */
const proseOf = (page: string): string =>
  page
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')

describe('refused words are not in', () => {
  it('the error catalogue: what an error means, and what to try', () => {
    const texts = Object.values(ERRORS).flatMap(({ means, hint }) => [means, hint])
    expect(texts.length).toBeGreaterThan(200)
    expect(texts.flatMap(wordsIn)).toEqual([])
  })

  it('the help of commands: descriptions, flags and arguments', () => {
    const manifest = JSON.parse(read('oclif.manifest.json')) as { readonly commands: Record<string, unknown> }
    const texts: string[] = []
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value)) {
        if ((key === 'description' || key === 'summary') && typeof inner === 'string') texts.push(inner)
        else collect(inner)
      }
    }
    collect(manifest.commands)
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.flatMap(wordsIn)).toEqual([])
  })

  it('the summaries of routes', () => {
    const rows = [...NODE_ROUTES, ...CONSENSUS_ROUTES, ...OPERATOR_ROUTES, ...STREAM_ROUTES, ...FEATURE_ROUTES]
    expect(rows.flatMap(({ id, summary }) => wordsIn(summary).map((fault) => `${id}: ${fault}`))).toEqual([])
  })

  it('the configuration that a node starts from', () => {
    expect(wordsIn(read('templates/config/node.toml'))).toEqual([])
  })

  it.each([
    ...pagesOf('docs/start'),
    ...pagesOf('docs/operate'),
    ...pagesOf('docs/operate/drills'),
    ...pagesOf('docs/concepts'),
    ...pagesOf('docs/design'),
    'README.md',
  ])('%s', (page) => {
    expect(proseOf(read(page)).split(/\n\n/).flatMap(wordsIn)).toEqual([])
  })
})

describe('what is cited', () => {
  const files = execFileSync('git', [
    'ls-files',
    'src',
    'commands',
    'scripts',
    'test',
    'docs',
    'README.md',
    'ARCHITECTURE.md',
  ])
    .toString()
    .split('\n')
    .filter((file) => /\.(ts|mjs|cjs|md)$/.test(file) && !file.startsWith('test/fixtures/') && existsSync(file))
  const decisions = readdirSync('docs/decisions')
  const exists = (path: string): boolean =>
    [path, `${path}.ts`, `${path}.md`].some(existsSync) ||
    (/^docs\/decisions\/\d{4}$/.test(path) && decisions.some((name) => name.startsWith(path.slice(-4))))
  const commentsOf = (text: string): string =>
    [...text.matchAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)].map(([comment]) => comment).join('\n')

  it('by comments and pages is in the repository', () => {
    const missing = files.flatMap((file) => {
      const text = file.endsWith('.md') ? read(file) : commentsOf(read(file))
      return [
        ...text.matchAll(/(?<![\w/.@-])((?:docs|src|commands|scripts|test|templates|genesis|bin|design)\/[\w./-]*\w)/g),
      ]
        .map(([, path]) => path as string)
        .filter((path) => !exists(path))
        .map((path) => `${file}: ${path}`)
    })
    expect(missing).toEqual([])
  })

  it('of a design page by number is a section of it', () => {
    const missing = files.flatMap((file) =>
      [...read(file).matchAll(/docs\/design\/([a-z0-9]+)\.md (\d+)/g)].flatMap(([cited, page, section]) =>
        existsSync(`docs/design/${page}.md`) &&
        new RegExp(`^## ${section}\\. `, 'm').test(read(`docs/design/${page}.md`))
          ? []
          : [`${file}: ${cited}`],
      ),
    )
    expect(missing).toEqual([])
  })
})
