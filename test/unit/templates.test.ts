/** Templates for operators: what they name exists, and what they repeat is what the code says. */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { metricsOf } from '../../src/api/metrics.js'
import * as services from '../../src/features/node.js'
import type { AnyService } from '../../src/features/service.js'
import { EXIT } from '../../src/model/errors.js'
import { ENV_PREFIX, envNameOf, NODE_KEYS } from '../../src/node/config/index.js'
import { addRuntimeMetrics } from '../../src/node/status/process.js'
import { STALL_REASONS } from '../../src/node/status/stall.js'
import { needs } from '../support/needs.js'

const read = (path: string): string => readFileSync(path, 'utf8')
const manifest = JSON.parse(read('oclif.manifest.json')) as { commands: Record<string, unknown> }
const isCommand = (words: string): boolean => Object.hasOwn(manifest.commands, words.trim().replaceAll(' ', ':'))
const variables = new Set(NODE_KEYS.map((def) => envNameOf(def.path)))
const defaultOf = (key: string): unknown => NODE_KEYS.find((def) => def.path.join('.') === key)?.fallback
const portOf = (key: string): string => String(defaultOf(key)).split(':').at(-1) ?? ''

const registry = new Registry()
metricsOf(registry)
addRuntimeMetrics(registry)
for (const service of Object.values(services) as readonly AnyService[]) service.metrics?.(registry)
const metrics = new Set(
  registry
    .getMetricsAsArray()
    .flatMap((one) => [one.name, `${one.name}_bucket`, `${one.name}_sum`, `${one.name}_count`]),
)
/** Names of series in a PromQL expression: what stands before a label set or a range, or alone. */
const seriesOf = (expr: string): string[] =>
  [
    ...expr
      .replace(/"[^"]*"/g, '')
      .replace(/(by|without) \([^)]*\)/g, '')
      .matchAll(/[a-z][a-z0-9_]*_[a-z0-9_]+(?=[{[\s)]|$)/g),
  ]
    .map(([name]) => name)
    .filter((name) => name !== 'histogram_quantile')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly runbook: string }
}
const rules = (parse(read('templates/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const runbooks = new Set([...read('docs/operate/alerts.md').matchAll(/^## (\S+)$/gm)].map(([, name]) => name))

/** Every CAUSEWAY_NODE__ variable that a text names. */
const variablesIn = (text: string): string[] => text.match(new RegExp(`${ENV_PREFIX}[A-Z_]+`, 'g')) ?? []

describe('monitoring templates', () => {
  it('use existing metrics in alerts, which have a runbook', () => {
    expect(rules.length).toBeGreaterThan(5)
    for (const { alert, expr, annotations } of rules) {
      expect(seriesOf(expr), alert).not.toEqual([])
      for (const name of seriesOf(expr)) expect(metrics, `${alert}: ${expr}`).toContain(name)
      expect(runbooks, alert).toContain(alert)
      expect(annotations.runbook).toBe(`docs/operate/alerts.md#${alert.toLowerCase()}`)
    }
  })

  it('have a runbook for every stall reason', () => {
    for (const reason of STALL_REASONS) expect(runbooks).toContain(reason)
  })

  const dashboards = readdirSync('templates/grafana').filter((name) => name.endsWith('.json'))
  it.each(dashboards)('use existing metrics in dashboard %s', (file) => {
    const { panels } = JSON.parse(read(`templates/grafana/${file}`)) as { panels: { targets: { expr: string }[] }[] }
    const named = panels.flatMap((panel) => panel.targets.flatMap((target) => seriesOf(target.expr)))
    expect(named.length).toBeGreaterThan(5)
    for (const name of named) expect(metrics).toContain(name)
  })

  const missing = spawnSync('promtool', ['--version']).error && 'promtool is not installed'
  it('contain alert rules that promtool accepts', needs(missing), () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', 'templates/prometheus/alerts.yml'])
    expect(status, String(stderr)).toBe(0)
  })
})

describe('deployment templates', () => {
  const unit = read('templates/systemd/causeway.service')
  const line = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

  it('run existing commands in the systemd unit, which does not restart after permanent errors', () => {
    for (const key of ['ExecStart', 'ExecReload']) {
      expect(isCommand(/causeway ([a-z ]+?) --/.exec(line(key))?.[1] ?? ''), line(key)).toBe(true)
    }
    // Its exit status would prevent no restart.
    expect(unit).not.toMatch(/^ExecStartPre=/m)
    const kept = line('RestartPreventExitStatus').split(' ').map(Number)
    expect(kept).toEqual([EXIT.usage, EXIT.config, EXIT.badInput, EXIT.checkFailed])
    // commands/node/start.ts forces itself after 15 s: systemd must not be quicker.
    expect(Number(line('TimeoutStopSec'))).toBeGreaterThan(15)
    expect(line('UMask')).toBe('0077')
  })

  it('start the daemon in the image, without root, on the default ports', () => {
    const file = read('templates/docker/Dockerfile')
    expect(file).toMatch(/^USER node$/m)
    expect(/^EXPOSE (.*)$/m.exec(file)?.[1]).toBe(`${portOf('network.listen')} ${portOf('gateway.listen')}`)
    const command = JSON.parse(/^CMD (\["node", "start".*\])$/m.exec(file)?.[1] ?? '[]') as string[]
    expect(isCommand(command.slice(0, 2).join(' '))).toBe(true)
    for (const [, path = ''] of file.matchAll(/^COPY ([a-z]+) \1$/gm)) expect(readdirSync('.')).toContain(path)
  })

  it('include the whole package in the image, and exclude keys from its build context', () => {
    const file = read('templates/docker/Dockerfile')
    const { files } = JSON.parse(read('package.json')) as { files: string[] }
    const copied = [...file.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, from = '']) => from.split(' '))
    // Types are for who compiles against the package.
    const needed = files.filter((name) => !name.endsWith('.d.ts'))
    for (const name of [...needed, 'package.json', 'node_modules']) expect(copied).toContain(`/src/${name}`)
    const ignored = read('.dockerignore').split('\n')
    for (const name of ['**/keys', 'node_modules', 'dist', '.git']) expect(ignored).toContain(name)
    for (const [, from = ''] of file.matchAll(/^COPY ((?!--from)\S.*) \S+$/gm)) {
      for (const name of from.split(' ')) expect(ignored).not.toContain(name)
    }
  })

  it('contain a systemd unit that matches its installation instructions', () => {
    const page = read('docs/operate/deploy.md')
    const user = line('User')
    expect(page).toMatch(new RegExp(`^# useradd .* ${user}$`, 'm'))
    expect(line('ExecStart')).toMatch(/^\/usr\/bin\/causeway /)
    expect(page).toContain('npm install -g --prefix /usr ')
    expect(page).toContain(`data_dir = "${/DATA_DIR=(\S+)/.exec(unit)?.[1]}"`)
    expect(page).toContain(`/${line('ConfigurationDirectory')}/node.toml`)
    expect(line('Documentation')).toBe('file:/usr/lib/node_modules/causeway/README.md')
  })

  it('use one folder in the StatefulSet, which overrides only the data path of the configuration', () => {
    const text = read('templates/kubernetes/statefulset.yaml')
    const paths = NODE_KEYS.filter(({ kind }) => kind.type === 'path').map((def) => envNameOf(def.path))
    expect(variablesIn(text).filter((name) => paths.includes(name))).toEqual([envNameOf(['data_dir'])])
    expect(text).toContain('install -m 0600 /run/keys/*.json /run/identity/keys/')
    expect(text).toContain('{ name: identity, mountPath: /etc/causeway/keys, subPath: keys }')
    // A folder that the kubelet creates for a subPath belongs to root: its mode is not set elsewhere.
    const [place] = text.split('      containers:')
    expect(place).not.toContain('subPath')
  })

  it('have a valid compose file and StatefulSet, which keep one validator and the default ports', () => {
    const compose = parse(read('templates/docker/compose.yml')) as { services: { node: { ports: string[] } } }
    expect(compose.services.node.ports.map((text) => text.split(':').at(-1))).toEqual([
      portOf('network.listen'),
      portOf('gateway.listen'),
    ])
    const documents = parseAllDocuments(read('templates/kubernetes/statefulset.yaml')).map(
      (one) => one.toJS() as unknown,
    )
    const [links, gateway, set] = documents
    expect(links).toMatchObject({ spec: { ports: [{ port: Number(portOf('network.listen')) }] } })
    expect(gateway).toMatchObject({ spec: { ports: [{ port: Number(portOf('gateway.listen')) }] } })
    expect(set).toMatchObject({ kind: 'StatefulSet', spec: { replicas: 1 } })
    // A pod is ready when it is in a quorum: its peers have to find it before.
    expect(links).toMatchObject({ spec: { publishNotReadyAddresses: true } })
    expect(set).toMatchObject({ spec: { serviceName: (links as { metadata: { name: string } }).metadata.name } })
  })

  it.each([
    'templates/systemd/causeway.service',
    'templates/docker/Dockerfile',
    'templates/docker/compose.yml',
    'templates/kubernetes/statefulset.yaml',
  ])('set existing configuration keys in %s', (path) => {
    const named = variablesIn(read(path))
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(variables).toContain(name)
  })
})
