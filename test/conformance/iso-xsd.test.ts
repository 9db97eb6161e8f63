/**
 * Messages emitted and accepted by the bridge, checked against the schemas of the ISO 20022 catalogue. They are not
 * part of this repository: CAUSEWAY_ISO_XSD names a folder with them, and `xmllint` (libxml2-utils) must be installed.
 * Otherwise the tests are skipped.
 */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flatLines, flatPairs, messageXml } from '../../src/features/iso20022/message/index.js'
import { pacs002Xml } from '../../src/features/iso20022/schema/pacs002.js'
import { type IsoRecordView, ONE_PAYMENT } from '../../src/features/iso20022/schema/views.js'
import { accepted, envelope009, header, pacs008, pacs009, parse } from '../fixtures/iso20022/messages.js'
import { accountNamed } from '../support/executor.js'
import { needs } from '../support/needs.js'

const FOLDER = process.env.CAUSEWAY_ISO_XSD
const isReady = FOLDER !== undefined && spawnSync('xmllint', ['--version']).error === undefined

/** Faults of a document according to the schema; empty if it is valid. */
function schemaFaults(definition: string, xml: string): string {
  const args = ['--noout', '--nonet', '--schema', join(FOLDER ?? '', `${definition}.xsd`), '-']
  const run = spawnSync('xmllint', args, { input: xml, encoding: 'utf8' })
  return run.status === 0 ? '' : run.stderr || `exit ${run.status}`
}

/** Documents and headers of an envelope, each with its definition. */
function parts(xml: string): [definition: string, xml: string][] {
  return [...xml.matchAll(/<(Document|AppHdr)\b[^>]*tech:xsd:([\w.]+)"[\s\S]*?<\/\1>/g)].map((one) => [
    one[2] ?? '',
    one[0],
  ])
}

const VIEW: IsoRecordView = {
  messageId: "A/B-1 :().,'+",
  family: 'pacs008',
  transactionHash: Buffer.alloc(32, 7),
  status: 'accepted',
  pacs002Code: 'ACSC',
  holdReasonCode: undefined,
  changeReasonCodes: [],
  rejectionReasonCode: undefined,
  detail: undefined,
  ledgerId: 'c',
  sourceAccountId: undefined,
  targetAccountId: undefined,
  assetDefinitionId: undefined,
  assetId: undefined,
  amount: { mantissa: 1n, scale: 0 },
  currency: 'EUR',
  settlementDate: '2026-03-02',
  instructionId: 'I & J',
  endToEndId: '<E>',
  senderTransactionId: 'T',
  uetr: '8f0c7d7e-58a1-4c3f-9b6e-3f2f6c1d2e4a',
  submitter: accountNamed('bank'),
  bodyHash: Buffer.alloc(32, 3),
  attempt: 1,
  replayed: false,
  receivedAtMs: 1,
  updatedAtMs: Date.parse('2026-03-02T10:00:00Z'),
  gateway: undefined,
  ...ONE_PAYMENT,
}

describe(
  'the schemas of the catalogue',
  needs(isReady ? undefined : 'CAUSEWAY_ISO_XSD is not set, or xmllint is not installed'),
  () => {
    it('accept every emitted status', () => {
      const pending = { ...VIEW, status: 'pending', transactionHash: undefined } as const
      const views: IsoRecordView[] = [
        VIEW,
        { ...VIEW, family: 'pacs009', instructionId: undefined, endToEndId: undefined, uetr: undefined },
        { ...pending, pacs002Code: 'PDNG', holdReasonCode: 'HOLD_AMOUNT' },
        { ...pending, pacs002Code: 'ACWC', holdReasonCode: 'HOLD_BIC', changeReasonCodes: ['DT06', 'NARR'] },
        { ...pending, pacs002Code: 'ACTC' },
        { ...VIEW, status: 'pending', pacs002Code: 'ACSP' },
        {
          ...VIEW,
          status: 'rejected',
          pacs002Code: 'RJCT',
          rejectionReasonCode: 'AM04',
          detail: `${'x'.repeat(300)}\u0001`,
        },
        { ...VIEW, status: 'rejected', pacs002Code: 'RJCT', rejectionReasonCode: 'QUEUE_FULL', detail: '' },
      ]
      for (const view of views) expect(schemaFaults('pacs.002.001.10', pacs002Xml(view)), view.pacs002Code).toBe('')
    })

    it('accept messages written from flat forms, and the templates', async () => {
      const bodies = await Promise.all(
        ['pacs008.xml', 'pacs009.xml'].map((name) => readFile(join('templates', 'iso', name), 'utf8')),
      )
      for (const body of [...bodies, pacs008(), envelope009()]) {
        const { payment } = accepted(body)
        const written = messageXml([accepted(flatLines(flatPairs([payment]))).payment], '2026-03-01T10:00:00Z')
        for (const [definition, xml] of [...parts(body), ...parts(written)])
          expect(schemaFaults(definition, xml)).toBe('')
      }
    })

    it('accept every modified document that the reader accepts', () => {
      const bodies = [
        [pacs008(), 'pacs.008.001.08'],
        [pacs009(), 'pacs.009.001.10'],
      ] as const
      let taken = 0
      for (const [body, definition] of bodies) {
        const elements = [...body.matchAll(/<(\w+)[^<>]*>(?:[^<>]*)<\/\1>/g)].map((one) => one[0])
        for (const element of elements) {
          for (const change of [
            '',
            element + element,
            element.replace(/>[^<]*</, '>1<'),
            element.replace(/>[^<]*</, '> <'),
          ]) {
            const document = body.replace(element, change)
            const whole = definition === 'pacs.009.001.10' ? `<E>${header(definition)}${document}</E>` : document
            if (!parse(whole).ok) continue
            taken += 1
            expect(schemaFaults(definition, document), change).toBe('')
          }
        }
      }
      expect(taken).toBeGreaterThan(10)
    })
  },
)
