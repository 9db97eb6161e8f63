/** Links of pages lead somewhere: to a file of the repository, and to a heading of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const pages = execFileSync('git', ['ls-files', '*.md'])
  .toString()
  .split('\n')
  // The page of the toy feature is written for the copy of the tree that it is put into.
  .filter((page) => page !== '' && existsSync(page) && !page.startsWith('test/fixtures/'))

/** A page without its blocks of code. */
const textOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')

/** Anchors of a page: of its headings, as renderers of Markdown make them, and those that it sets itself. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>()
  const anchors = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
  return new Set([...anchors, ...[...textOf(page).matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)])
}

/** Targets of links of a page inside the repository: file and anchor. */
const linksOf = (page: string): { link: string; file: string; anchor: string }[] =>
  [...textOf(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link = '']) => {
    const [path = '', anchor = ''] = link.split('#')
    return { link, file: path === '' ? page : normalize(join(dirname(page), path)), anchor }
  })

describe('links of pages', () => {
  it('are detected', () => {
    expect(pages).toContain('README.md')
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(200)
  })

  it('lead to files that exist', () => {
    const dead = pages.flatMap((page) =>
      linksOf(page).flatMap(({ link, file }) => (existsSync(file) ? [] : [`${page}: ${link}`])),
    )
    expect(dead).toEqual([])
  })

  it('lead to existing headings', () => {
    const dead = pages.flatMap((page) =>
      linksOf(page)
        .filter(({ file, anchor }) => anchor !== '' && file.endsWith('.md') && existsSync(file))
        .filter(({ file, anchor }) => !anchorsOf(file).has(anchor))
        .map(({ link }) => `${page}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  it('lead to every page that is not a decision', () => {
    const linked = new Set(pages.flatMap(linksOf).map(({ file }) => file))
    const own = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'))
    expect(own.filter((page) => !linked.has(page))).toEqual([])
  })
})
