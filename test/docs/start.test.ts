import { describe, expect, it } from 'vitest'
import { runPage, shellBlocks } from './blocks.js'

describe('pages that a new user follows', () => {
  it.each(['docs/start/local.md', 'docs/start/watch.md', 'docs/start/payments.md', 'docs/start/bootstrap.md'])(
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
      before: 'causeway localnet up --manifest iso-demo\n',
      runs: (block) => !block.includes('npm ci'),
    })
    expect(code, output.slice(-4_000)).toBe(0)
  }, 120_000)

  it('blocks are what stands between the fences of a shell', () => {
    expect(shellBlocks('a\n```sh\nb\n```\n```text\nc\n```\n```sh\nd\n```\n')).toEqual(['b\n', 'd\n'])
  })
})
