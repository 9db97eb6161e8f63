/**
 * Routes of each telemetry profile (specification 8.3), the metrics as text, and the routes about the build of the
 * node.
 */

import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { profileServes, TELEMETRY_PROFILES, type TelemetryProfile } from '../../../src/api/index.js'
import { collectFrom, metricsOf, oncePerScrape } from '../../../src/api/metrics.js'
import type { NodeServices } from '../../../src/api/services.js'
import type { Gateway } from '../../../src/gateway/index.js'
import type { QueryDef } from '../../../src/model/index.js'
import { SERVED_ROUTES } from '../../support/served-routes.js'
import { FakeNode, gatewayOf } from './support.js'

let gateway: Gateway | undefined
afterEach(() => gateway?.close())

const served = async (profile: TelemetryProfile, url: string): Promise<'yes' | 'no'> => {
  gateway = gatewayOf(new FakeNode(), { telemetryProfile: profile })
  const answer = await gateway.inject({ url })
  await gateway.close()
  if (answer.statusCode === 200) return 'yes'
  expect([answer.statusCode, answer.headers['retry-after'], answer.headers['x-ledger-reject-code']]).toEqual([
    503,
    undefined,
    'telemetry_profile_restricted',
  ])
  return 'no'
}

describe('telemetry profiles', () => {
  /** The table of specification 8.3, as it stands there. */
  const TABLE: Readonly<Record<TelemetryProfile, readonly [status: string, metrics: string, developer: string]>> = {
    disabled: ['no', 'no', 'no'],
    operator: ['yes', 'no', 'no'],
    extended: ['yes', 'yes', 'no'],
    developer: ['yes', 'no', 'yes'],
    full: ['yes', 'yes', 'yes'],
  }

  it('match the specification', () => {
    expect(TELEMETRY_PROFILES).toEqual(Object.keys(TABLE))
  })

  it.each(Object.entries(TABLE))('%s serves %j of status, metrics, developer routes', async (name, row) => {
    const profile = name as TelemetryProfile
    expect(await Promise.all(['/status', '/metrics'].map((url) => served(profile, url)))).toEqual(row.slice(0, 2))
    const developer = SERVED_ROUTES.filter((route) => route.profile === 'developer' && !route.path.includes('{'))
    expect(developer.length).toBeGreaterThan(8)
    for (const { path } of developer) expect([path, await served(profile, path)]).toEqual([path, row[2]])
    // Liveness and the documents are not telemetry.
    for (const path of ['/health', '/openapi', '/schema', '/v1/parameters', '/v1/time/now']) {
      expect([path, await served(profile, path)]).toEqual([path, 'yes'])
    }
  })

  it.each(TELEMETRY_PROFILES)('%s lists in its OpenAPI document exactly what it serves', async (profile) => {
    gateway = gatewayOf(new FakeNode(), { telemetryProfile: profile })
    const { paths } = JSON.parse((await gateway.inject({ url: '/openapi' })).body) as { paths: object }
    const served = SERVED_ROUTES.filter((row) => profileServes(profile, row.profile)).map(({ path }) => path)
    expect(Object.keys(paths).sort()).toEqual([...new Set(served)].sort())
  })

  it('restrict the developer routes that the design lists', () => {
    const paths = SERVED_ROUTES.filter(({ profile }) => profile === 'developer').map(({ path }) =>
      path.replace('/v1/consensus/', ''),
    )
    const named = ['leader', 'qc', 'params', 'phases', 'pacemaker', 'rbc', 'rbc/sessions', 'bls_keys', 'checkpoints']
    expect(paths).toEqual(expect.arrayContaining([...named, 'evidence', 'telemetry']))
    expect(paths).toHaveLength(named.length + 2)
  })
})

describe('queries under a telemetry profile', () => {
  it('reveal no more than the routes of the profile', async () => {
    const { services } = new FakeNode()
    const asked: QueryDef<unknown, unknown>[] = []
    const listening: NodeServices = {
      ...services,
      query: async (def, input) => {
        asked.push(def as unknown as QueryDef<unknown, unknown>)
        return services.query(def, input)
      },
    }
    const open = gatewayOf(new FakeNode(), { telemetryProfile: 'full' }, { services: listening })
    const gated: string[] = []
    for (const { path, method, profile, format } of SERVED_ROUTES) {
      if (method !== 'GET' || format === 'sse' || format === 'websocket' || path.includes('{')) continue
      asked.length = 0
      await open.inject({ url: path })
      for (const def of asked) expect([path, def.kind, def.profile]).toEqual([path, def.kind, profile])
      gated.push(...asked.filter((def) => def.profile !== undefined).map(({ kind }) => kind))
    }
    await open.close()
    expect(gated).toEqual(['checkpoints', 'blsKeys', 'consensusParams', 'evidence'])
  })
})

/** Faults of a text in the exposition format 0.0.4: names, labels, values, HELP and TYPE before their samples, once. */
function expositionFaults(text: string): string[] {
  const faults: string[] = []
  if (!text.endsWith('\n')) faults.push('the last line has no end')
  const types = new Map<string, string>()
  const series = new Set<string>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const meta = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line)
    if (meta !== null) {
      const [, word, name, rest] = meta as unknown as [string, string, string, string]
      if (word !== 'TYPE') continue
      if (!/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) faults.push(`${name} is of no type: ${rest}`)
      if (types.has(name)) faults.push(`${name} has two types`)
      types.set(name, rest)
      continue
    }
    const sample =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (\S+)$/.exec(line)
    if (sample === null) {
      faults.push(`no sample: ${line}`)
      continue
    }
    const [, name, labels = '', value] = sample as unknown as [string, string, string | undefined, string]
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
    if (!types.has(family)) faults.push(`${name} comes before its TYPE`)
    if (types.get(family) === 'counter' && !name.endsWith('_total'))
      faults.push(`counter ${name} does not end in _total`)
    if (!Number.isFinite(Number(value)) && !/^(\+Inf|-Inf|Nan)$/.test(value))
      faults.push(`${name} has no number: ${value}`)
    if (series.has(name + labels)) faults.push(`${name}${labels} stands twice`)
    series.add(name + labels)
  }
  return faults
}

describe('metrics', () => {
  it('are in the exposition format, with the names of the specification', async () => {
    const node = new FakeNode()
    gateway = gatewayOf(node, { telemetryProfile: 'full' })
    const { consensus } = metricsOf(node.services.metrics)
    collectFrom(consensus.rbcLaneBacklog, () => [[{ lane_id: 0 }, 1]])
    collectFrom(consensus.rbcDataspaceBacklog, () => [[{ dataspace_id: '7' }, 1]])
    await gateway.inject({ url: '/status' })
    await gateway.inject({ url: '/nothing' })
    const answer = await gateway.inject({ url: '/metrics' })
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(expositionFaults(answer.body)).toEqual([])
    for (const name of ['sumeragi_rbc_store_pressure', 'sumeragi_rbc_backpressure_deferrals_total']) {
      expect(answer.body).toMatch(new RegExp(`^${name} [0-9]+$`, 'm'))
    }
    expect(answer.body).toContain('lane_id="0"')
    expect(answer.body).toContain('dataspace_id="7"')
    const promtool = spawnSync('promtool', ['check', 'metrics'], { input: answer.body, encoding: 'utf8' })
    // Not on every machine; our own check is.
    if (promtool.error === undefined) expect([promtool.status, promtool.stdout + promtool.stderr]).toEqual([0, ''])
  })

  it('are computed by their owner at each scrape, once for all, without old series', async () => {
    const { services } = new FakeNode()
    const { node, consensus } = metricsOf(services.metrics)
    let computed = 0
    const queue = oncePerScrape(() => {
      computed += 1
      return computed
    })
    collectFrom(node.queueSize, queue)
    collectFrom(consensus.queueSize, queue)
    collectFrom(node.triggerRuns, () => [[{ result: queue() === 1 ? 'approved' : 'rejected' }, 5]])
    const scrape = async () => (await services.metrics.metrics()).split('\n').filter((line) => !line.startsWith('#'))
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'node_queue_transactions 1',
        'consensus_queue_transactions 1',
        'executor_trigger_runs_total{result="approved"} 5',
      ]),
    )
    const second = await scrape()
    expect(second).toEqual(
      expect.arrayContaining(['node_queue_transactions 2', 'executor_trigger_runs_total{result="rejected"} 5']),
    )
    expect(second).not.toContain('executor_trigger_runs_total{result="approved"} 5')
  })

  it('are detected if malformed', () => {
    expect(expositionFaults('# TYPE a gauge\na 1\n')).toEqual([])
    for (const text of [
      'a 1\n',
      '# TYPE a gauge\na{x=1} 1\n',
      '# TYPE a gauge\na 1\na 1\n',
      '# TYPE a counter\na 1\n',
    ]) {
      expect(expositionFaults(text)).toHaveLength(1)
    }
  })
})

describe('the self-description of the node', () => {
  it('lists the layouts of all records', async () => {
    gateway = gatewayOf(new FakeNode())
    const model = (await gateway.inject({ url: '/schema' })).json() as Record<string, Record<string, unknown>[]>
    const ids = model['frames']!.map(({ type_id: id }) => id)
    // Those of the node, then those of features, of their own ids.
    expect(ids).toEqual([...Array.from({ length: 13 }, (_, at) => at + 1), 400])
    const transfer = model['instructions']!.find(({ kind }) => kind === 'transfer')
    expect(transfer).toMatchObject({ label: 'asset::transfer', schema_hash: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(transfer!['description']).toContain('Transfer = struct')
    expect(model['events']!.some(({ kind }) => kind === 'transferred')).toBe(true)
    expect(model['queries']).toContainEqual({ id: 3, kind: 'account', input: 'AccountQuery', output: 'AccountView' })
  })

  it('shows parameters with pending changes', async () => {
    gateway = gatewayOf(new FakeNode())
    expect((await gateway.inject({ url: '/v1/parameters' })).json()).toEqual({
      items: [{ name: 'block_time_ms', value: 20, acts_after_blocks: 1, staged: [{ from_height: 9, value: 30 }] }],
      total: 1,
      height: 7,
    })
  })

  it('shows its clock beside the clocks of its peers', async () => {
    gateway = gatewayOf(new FakeNode())
    const health = { healthy: false, min_samples_ok: false, offset_ok: true, confidence_ok: true }
    expect((await gateway.inject({ url: '/v1/time/now' })).json()).toEqual({
      now: 1_699_999_999_997,
      offset_ms: -3,
      confidence_ms: 1,
      sample_count: 1,
      peer_count: 3,
      fallback: false,
      health,
    })
    expect((await gateway.inject({ url: '/v1/time/status' })).json()).toMatchObject({
      health,
      samples: [{ peer: 'ea01', last_offset_ms: -3, last_rtt_ms: 2, count: 4 }],
      rtt: { sum_ms: 8, count: 4 },
    })
  })
})
