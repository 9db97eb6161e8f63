import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Reader, SESSIONS } from './blocks.js'

describe.each(SESSIONS.map((pages) => ({ pages })))('pages that a user follows, from $pages.0 on', ({ pages }) => {
  let reader: Reader
  beforeAll(async () => {
    reader = await Reader.start()
  })
  afterAll(() => reader.end())

  it.each(pages)('%s runs as it is written', async (page) => {
    const { code, output } = await reader.read(page, { goesOn: page !== pages.at(-1) })
    expect(code, output.slice(-4_000)).toBe(0)
  })
})
