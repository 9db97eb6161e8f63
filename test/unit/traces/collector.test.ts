/** Log about a failing collector of traces: short, and now and then. */
import * as core from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { ServiceContext } from '../../../src/features/service.js'
import { counted } from '../../../src/features/traces/node/open.js'

it('a long intermittent error of the trace collector is logged once a minute, truncated', () => {
  const lines: string[] = []
  const note = (fields: unknown, text: string) => lines.push(JSON.stringify({ fields, text }))
  const context = { services: { metrics: new Registry() }, logger: { warn: note, info: note } }
  let [nowMs, batches] = [0, 0]
  const exporter = {
    export: (_: unknown, done: (result: unknown) => void) => {
      batches += 1
      done(
        batches % 2 === 1
          ? { code: core.ExportResultCode.FAILED, error: new Error('x'.repeat(3_900_000)) }
          : { code: core.ExportResultCode.SUCCESS },
      )
    },
  } as unknown as SpanExporter
  const own = counted(exporter, core, context as unknown as ServiceContext, () => nowMs)
  for (let second = 0; second < 120; second += 1) {
    nowMs = second * 1_000
    own.export([], () => undefined)
  }
  expect(lines).toHaveLength(4)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400)
})
