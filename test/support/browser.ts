/**
 * Owns a headless browser with one page on a separate origin, which reports its results; for tests that are skipped
 * without Chromium.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Chromium of this machine, by `CHROMIUM_BIN` or its usual names; undefined if not installed. */
export const BROWSER = [process.env.CHROMIUM_BIN, 'chromium', 'chromium-browser', 'google-chrome'].find(
  (name): name is string => name !== undefined && spawnSync(name, ['--version']).status === 0,
)
/** Reason for skipping tests with a browser; undefined if they run. */
export const BROWSER_MISSING =
  BROWSER === undefined ? 'no chromium or google-chrome is installed, and CHROMIUM_BIN is not set' : undefined

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

/** Page at an origin that the gateway has to know before it is opened. */
export class BrowserPage {
  private html = ''
  private undo: (() => Promise<void>)[] = []
  /** Rejects if the browser ends by itself. */
  ended: Promise<never> = new Promise(() => undefined)

  private constructor(
    readonly origin: string,
    close: () => Promise<void>,
  ) {
    this.undo.push(close)
  }

  /** Start a server for the page; `told` is called with the body of each POST to `/result`. */
  static async serve(onText: (text: string) => void): Promise<BrowserPage> {
    let page: BrowserPage | undefined
    const server = createServer((request, response) => {
      if (request.method !== 'POST') {
        response.writeHead(200, { 'content-type': 'text/html' }).end(page?.html)
        return
      }
      let body = ''
      request.on('data', (part: Buffer) => {
        body += part.toString()
      })
      request.on('end', () => {
        response.end()
        onText(body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    page = new BrowserPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return page
  }

  /** Start the browser with the page. */
  async open(html: string): Promise<void> {
    this.html = html
    const profile = await mkdtemp(join(tmpdir(), 'browser-'))
    const flags = [...FLAGS, `--user-data-dir=${profile}`, '--remote-debugging-port=0', this.origin]
    const browser = spawn(BROWSER ?? '', flags, { stdio: 'ignore' })
    this.ended = new Promise<never>((_, reject) => {
      browser.once('error', reject)
      browser.once('exit', (code) => reject(new Error(`the browser ended with ${code}`)))
    })
    this.undo.push(async () => {
      this.ended.catch(() => undefined)
      browser.kill('SIGKILL')
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    })
  }

  async close(): Promise<void> {
    for (const undo of this.undo.splice(0).reverse()) await undo()
  }
}
