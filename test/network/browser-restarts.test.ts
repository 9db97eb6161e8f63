/**
 * A page that follows the blocks of a node by an EventSource of Chromium, through kills of that node: it misses none and gets
 * none twice. `CAUSEWAY_BROWSER_KILLS` counts them.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { getJson, TestNet, until } from '../e2e/localnet.js'
import { BROWSER_MISSING, BrowserPage } from '../support/browser.js'
import { needs } from '../support/needs.js'

const KILLS = Number(process.env.CAUSEWAY_BROWSER_KILLS ?? 2)

/** Reports the heights of all received blocks, in order, after each further one. */
const page = (gateway: string): string => `<!doctype html><script>
const heights = []
const source = new EventSource('${gateway}/v1/events/sse?category=block&from_height=1')
source.addEventListener('block', ({ data }) => {
  heights.push(JSON.parse(data).event.Block.height)
  fetch('/result', { method: 'POST', body: JSON.stringify(heights) })
})
</script>`

afterAll(() => TestNet.closeAll())

it('a browser receives every block once, across restarts of its node', needs(BROWSER_MISSING), async () => {
  let heights: number[] = []
  const browser = await BrowserPage.serve((text) => {
    const seen = JSON.parse(text) as number[]
    // Posts of a page may overtake each other.
    if (seen.length > heights.length) heights = seen
  })
  const net = await TestNet.start()
  const [followed = '', other = ''] = net.gateways
  const name =
    (await net.status()).peers.find(({ gateway }) => gateway.includes(followed.replace('http://', '')))?.name ?? ''
  const config = join(net.folder, name, 'node.toml')
  const heightOf = async (gateway: string): Promise<number> =>
    (await getJson<{ readonly blocks: number }>(gateway, '/status').catch(() => ({ blocks: 0 }))).blocks
  const pay = async (): Promise<void> => {
    const before = await heightOf(other)
    const paid = await net.cli(
      'asset',
      'transfer',
      '--gateway',
      other,
      '--key-file',
      net.keyFile('alice'),
      '--to',
      'bob@bank',
      '--asset',
      'eur#bank',
      '--amount',
      '0.01',
    )
    expect(paid.code, paid.stderr).toBe(0)
    expect(await heightOf(other)).toBeGreaterThan(before)
  }
  const restart = async (): Promise<void> => {
    await net.kill(name)
    await pay()
    const up = await net.up()
    expect(up.code, up.stdout + up.stderr).toBe(0)
  }
  const text = await readFile(config, 'utf8')
  await writeFile(config, text.replace(/^#? ?cors_origins = .*$/m, `cors_origins = ["${browser.origin}"]`))
  await restart()
  try {
    await browser.open(page(followed))
    for (let kill = 1; kill <= KILLS; kill++) {
      await restart()
      await pay()
    }
    const last = await heightOf(other)
    await Promise.race([
      until('the last block in the page', async () => (heights.at(-1) ?? 0) >= last || undefined),
      browser.ended,
    ])
    expect(heights).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  } finally {
    await browser.close()
  }
})
