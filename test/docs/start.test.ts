import { describe, expect, it } from 'vitest'
import { runPage, SESSIONS } from './blocks.js'

describe('pages that a user follows', () => {
  it.each(SESSIONS)(
    '%s runs as it is written',
    async (page) => {
      const { code, output } = await runPage(page)
      expect(code, output.slice(-4_000)).toBe(0)
    },
    240_000,
  )

  it('README.md: the commands behind the first two run as they are written', async () => {
    // What `npm run quickstart` leaves is a network like this one, with the payment of the template made.
    const { code, output } = await runPage('README.md', {
      before: 'causeway localnet up\n',
      runs: (block) => !block.includes('npm ci'),
    })
    expect(code, output.slice(-4_000)).toBe(0)
  }, 120_000)
})
