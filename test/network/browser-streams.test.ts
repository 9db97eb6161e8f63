/** A browser's own EventSource and WebSocket against a gateway, from a page of another origin; skipped where no Chromium is installed. */
import { expect, it } from 'vitest'
import { BROWSER_MISSING, BrowserPage } from '../support/browser.js'
import { needs } from '../support/needs.js'
import { blocksBetween } from '../unit/gateway/fake-chain.js'
import { FakeNode, gatewayOf } from '../unit/gateway/support.js'

/** Connects both ways and tells the page's server what came. */
const page = (gateway: string): string => `<!doctype html><script>
const seen = { sse: [], socket: [] }
const tell = () => {
  if (seen.sse.length < 3 || seen.socket.length < 4) return
  fetch('/result', { method: 'POST', body: JSON.stringify(seen) })
}
const source = new EventSource('${gateway}/v1/events/sse?category=block&from_height=8')
source.addEventListener('block', (event) => { seen.sse.push(event.lastEventId); tell() })
const socket = new WebSocket('${gateway.replace(/^http/, 'ws')}/events')
socket.onopen = () => socket.send(JSON.stringify({ filters: [{ category: 'Block' }], from_height: 8 }))
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data)
  seen.socket.push(message.Event ? message.Event.id : Object.keys(message)[0])
  tell()
}
</script>`

it('a page from a listed origin receives events over both transports', needs(BROWSER_MISSING), async () => {
  const node = new FakeNode()
  node.blocks.push(...(await blocksBetween(8, 10)))
  let receive: (text: string) => void = () => undefined
  const result = new Promise<string>((resolve) => {
    receive = resolve
  })
  const browser = await BrowserPage.serve((text) => receive(text))
  const gateway = gatewayOf(node, { corsOrigins: [browser.origin], closeTimeoutMs: 100 })
  try {
    await browser.open(page((await gateway.listen()).url))
    const seen = JSON.parse(await Promise.race([result, browser.ended])) as unknown
    expect(seen).toEqual({ sse: ['8.2', '9.2', '10.2'], socket: ['Subscribed', '8.2', '9.2', '10.2'] })
  } finally {
    await gateway.close()
    await browser.close()
  }
})
