/**
 * Traces of four processes at a collector: one transaction is one trace over all nodes, a client's traceparent is taken and answered, a message
 * carries its identification, and a collector that is gone costs no payment.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestNet, until } from './localnet.js'

/** A span as the collector gets it (OTLP 1.x, JSON). */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly links: readonly { readonly traceId: string }[]
  /** Network key of the node that sent it. */
  readonly node: string
}

interface Value {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}
const texts = (list: readonly Value[] = []): Record<string, string> =>
  Object.fromEntries(list.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]))

/** Ends the collector: no connection is taken any more, then those that idle are cut. */
function endCollector(): Promise<void> {
  const ended = new Promise<void>((resolve) => collector.close(() => resolve()))
  collector.closeAllConnections()
  return ended
}

const spans: Span[] = []
let collector: Server
let net: TestNet

function take(body: string): void {
  const { resourceSpans } = JSON.parse(body)
  for (const { resource, scopeSpans } of resourceSpans) {
    const { 'service.instance.id': node = '', 'service.name': service } = texts(resource.attributes)
    expect(service).toBe('causeway')
    for (const { spans: sent } of scopeSpans)
      for (const one of sent) spans.push({ ...one, attributes: texts(one.attributes), links: one.links ?? [], node })
  }
}

beforeAll(async () => {
  collector = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      take(Buffer.concat(parts).toString('utf8'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  net = await TestNet.start()
  expect((await net.cli('localnet', 'down', '--dir', net.folder)).code).toBe(0)
  for (const name of ['val-0', 'val-1', 'val-2', 'val-3']) {
    const file = join(net.folder, name, 'node.toml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/^#(endpoint = )".*"$/m, `$1"${endpoint}"`))
  }
  const up = await net.up()
  expect(up.code, up.stdout + up.stderr).toBe(0)
})
afterAll(async () => {
  await TestNet.closeAll()
  await endCollector()
})

const pay = async (): Promise<string> => {
  const words = ['asset', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '1', '--yes', '--json']
  const run = await net.cli(...words, '--key-file', net.keyFile('alice'))
  expect(run.code, run.stdout).toBe(0)
  return (run.json() as unknown as { readonly hash: string }).hash
}
const ofTransaction = (hash: string): Span[] =>
  spans.filter((span) => span.attributes['causeway.transaction.hash'] === hash)

describe('a payment on four nodes', () => {
  it('has one trace that covers its request and each node', async () => {
    const hash = await pay()
    const found = await until('six spans', () => {
      const all = ofTransaction(hash)
      return Promise.resolve(all.length >= 6 ? all : undefined)
    })
    expect(found.map(({ name }) => name).sort()).toEqual([
      'POST /transaction',
      'queue to block',
      'queue to block',
      'queue to block',
      'queue to block',
      'transaction',
    ])
    expect(new Set(found.map(({ traceId }) => traceId))).toEqual(new Set([hash.slice(0, 32)]))
    const whole = found.find(({ name }) => name === 'transaction')
    expect(whole?.spanId).toBe(hash.slice(32, 48))
    for (const span of found) if (span !== whole) expect(span.parentSpanId).toBe(whole?.spanId)
    const passed = found.filter(({ name }) => name === 'queue to block')
    expect(new Set(passed.map(({ node }) => node)).size).toBe(4)
    const spans = passed.map(({ attributes }) => attributes)
    expect(spans.map((one) => one['causeway.transaction.outcome'])).toEqual(Array(4).fill('approved'))
    expect(new Set(spans.map((one) => one['causeway.block.height'])).size).toBe(1)
  })

  it('has a trace with its message identification, and the response returns the traceparent', async () => {
    const template = (await net.cli('iso', 'template', 'pacs008')).stdout
    const body = template.replace(/<MsgId>[^<]*</, '<MsgId>FOLLOW-ME/1<')
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const answer = await fetch(`${net.gateways[1]}/v1/iso20022/pacs008`, {
      method: 'POST',
      headers: { 'content-type': 'application/xml', traceparent: `00-${trace}-00f067aa0ba902b7-01` },
      body,
    })
    expect(answer.status, await answer.text()).toBe(202)
    expect(answer.headers.get('traceparent')).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    const found = await until('the spans of the message', () => {
      const all = spans.filter((span) => span.attributes['causeway.message.id'] === 'FOLLOW-ME/1')
      return Promise.resolve(all.length >= 2 ? all : undefined)
    })
    const request = found.find(({ name }) => name === 'POST /v1/iso20022/pacs008')
    const whole = found.find(({ name }) => name === 'transaction')
    expect([request?.traceId, request?.parentSpanId]).toEqual([trace, '00f067aa0ba902b7'])
    expect(request?.links).toMatchObject([{ traceId: whole?.traceId }])
    expect(whole?.links).toMatchObject([{ traceId: trace }])
    // Names, accounts and amounts of the message are nowhere.
    expect(JSON.stringify(spans)).not.toMatch(/bob|alice|IBAN|EUR/)
  })

  it('succeeds without a collector, and nodes stop in time', async () => {
    await endCollector()
    await pay()
    const gateway = net.gateways[0] ?? ''
    await until('lost spans in the metrics', async () => {
      const text = await (await fetch(`${gateway}/metrics`)).text()
      return /trace_spans_total\{[^}]*result="failed"[^}]*\} [1-9]/.test(text) ? true : undefined
    })
    const down = await net.cli('localnet', 'down', '--dir', net.folder)
    expect(down.code, down.stdout).toBe(0)
  })
})
