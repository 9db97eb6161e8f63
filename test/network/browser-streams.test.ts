/** A browser's own EventSource and WebSocket against a gateway, from a page of another origin; skipped where no Chromium is installed. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blocksBetween } from '../unit/gateway/fake-chain.js'
import { FakeNode, gatewayOf } from '../unit/gateway/support.js'

const BROWSER = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

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

it.skipIf(BROWSER === undefined)('a page of a listed origin receives events over both transports', async () => {
  const node = new FakeNode()
  node.blocks.push(...(await blocksBetween(8, 10)))
  let html = ''
  let receive: (text: string) => void = () => {}
  const result = new Promise<string>((resolve) => {
    receive = resolve
  })
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html)
      return
    }
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      response.end()
      receive(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const gateway = gatewayOf(node, { corsOrigins: [origin], closeTimeoutMs: 100 })
  html = page((await gateway.listen()).url)
  const profile = await mkdtemp(join(tmpdir(), 'browser-'))
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`]
  const browser = spawn(BROWSER ?? '', [...flags, '--remote-debugging-port=0', origin], { stdio: 'ignore' })
  const ended = new Promise<never>((_, reject) => {
    browser.once('error', reject)
    browser.once('exit', (code) => reject(new Error(`the browser ended with ${code}`)))
  })
  try {
    const seen = JSON.parse(await Promise.race([result, ended])) as unknown
    expect(seen).toEqual({ sse: ['8.2', '9.2', '10.2'], socket: ['Subscribed', '8.2', '9.2', '10.2'] })
  } finally {
    ended.catch(() => undefined)
    browser.kill('SIGKILL')
    await gateway.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
})
