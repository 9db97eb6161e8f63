/** Programs and commands reach a node by rows of the route table: no path is written a second time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pathOf, routes } from '../../../src/client/index.js'

const FOLDERS = ['src/cli', 'src/client', 'commands']
/** A path of the gateway at the start of a text. */
const PATH = /['"`]\/v1\//
const COMMENT = /^\s*(\/?\*|\/\/)/
/** Users of `causeway api` write paths themselves. */
const EXAMPLE = /<%= config\.bin %> api /

const pathsIn = (text: string): string[] =>
  text.split('\n').filter((line) => PATH.test(line) && !COMMENT.test(line) && !EXAMPLE.test(line))

it('no source of the client, the commands or the dashboard contains a literal path', () => {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => pathsIn(readFileSync(join(folder, name), 'utf8')).map((line) => `${folder}/${name}: ${line}`)),
  )
  expect(found).toEqual([])
})

it('a literal path is detected', () => {
  expect(pathsIn("const path = `/v1/nfts`\n// '/v1/nfts' lists them\nget('/v1/nfts')")).toHaveLength(2)
})

it('a path contains escaped parameters, requires path parameters, and omits absent query parameters', () => {
  const { account } = routes.accounts
  expect(pathOf(account, { params: { id: 'a/b@c' } })).toBe('/v1/accounts/a%2Fb%40c')
  const query = { limit: 5, cursor: undefined, owner: 'x&y' }
  expect(pathOf(routes.nfts.nfts, { query })).toBe('/v1/nfts?limit=5&owner=x%26y')
  expect(() => pathOf(account)).toThrow('requires id')
})
