/** Owns the process that submits payment messages: it creates them, sends them, and reports the time of each. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { ibanOf } from '../fixtures/iso20022/ibans.js'
import { pacs008 } from '../fixtures/iso20022/messages.js'
import { uniformPick } from './load.js'

/** Messages and their rate. */
export interface PaymentLoad {
  readonly name: string
  readonly gateways: readonly string[]
  /** Number of messages, and payments per message. */
  readonly count: number
  readonly perMessage: number
  /** Messages per second; 0: as fast as they are answered. */
  readonly rate: number
  readonly connections: number
  readonly accounts: number
}

/** Outcomes of the messages. */
export interface PaymentsSent {
  /** Ids of the accepted messages, with the submission time of each in ms since the Unix epoch. */
  readonly accepted: readonly (readonly [id: string, atMs: number])[]
  readonly refused: number
  readonly answerMs: readonly number[]
  /** Time to create the messages, and processor time of sending them, in ms. */
  readonly preparedMs: number
  readonly cpuMs: number
}

/** Party with an address as sent by banks. */
const party = (element: string, name: string): string =>
  `<${element}><Nm>${name}</Nm><PstlAdr><StrtNm>Neue Mainzer Strasse</StrtNm><BldgNb>52</BldgNb><PstCd>60311</PstCd>` +
  `<TwnNm>Frankfurt am Main</TwnNm><Ctry>DE</Ctry></PstlAdr></${element}>`

const account = (element: string, iban: string): string => `<${element}><Id><IBAN>${iban}</IBAN></Id></${element}>`

const REMITTANCE = `<RmtInf>${`<Ustrd>${'Invoice 2026/11-4711, rent and charges, '.repeat(4).slice(0, 140)}</Ustrd>`.repeat(3)}</RmtInf>`

/** Document of some 2 KB with one payment. */
function documentOf(
  id: string,
  place: number,
  of: { readonly date: string; readonly pick: () => number; readonly count: number },
): string {
  const debtor = of.pick()
  const drawn = of.pick()
  return pacs008({
    MsgId: `<MsgId>${id}</MsgId>`,
    NbOfTxs: `<NbOfTxs>${of.count}</NbOfTxs>`,
    PmtId: `<PmtId><EndToEndId>E2E-${id}-${place}</EndToEndId><UETR>${randomUUID()}</UETR></PmtId>`,
    IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR">1.01</IntrBkSttlmAmt>',
    IntrBkSttlmDt: `<IntrBkSttlmDt>${of.date}</IntrBkSttlmDt>`,
    Dbtr: party('Dbtr', 'Alpha Maschinenbau Gesellschaft'),
    DbtrAcct: account('DbtrAcct', ibanOf(debtor)),
    Cdtr: party('Cdtr', 'Beta Logistik und Lagerhaus'),
    CdtrAcct: account('CdtrAcct', ibanOf(drawn === debtor ? debtor + 1 : drawn)),
    end: REMITTANCE,
  })
}

const TRANSACTION = /<CdtTrfTxInf>.*<\/CdtTrfTxInf>/

/** Message with a number of payments. */
function messageOf(id: string, count: number, date: string, pick: () => number): Buffer {
  const documents = Array.from({ length: count }, (_, at) => documentOf(id, at + 1, { date, pick, count }))
  const [first = '', ...others] = documents
  const more = others.map((one) => TRANSACTION.exec(one)?.[0] ?? '').join('')
  return Buffer.from(first.replace('</CdtTrfTxInf>', () => `</CdtTrfTxInf>${more}`))
}

async function send(load: PaymentLoad): Promise<PaymentsSent> {
  const started = performance.now()
  const pick = uniformPick(load.accounts - 1)
  const date = new Date().toISOString().slice(0, 10)
  const bodies = Array.from({ length: load.count }, (_, index) => {
    const id = `${load.name}-${index}`
    return [id, messageOf(id, load.perMessage, date, pick)] as const
  })
  const preparedMs = performance.now() - started
  const agent = new Agent({ connections: load.connections, pipelining: 1 })
  const accepted: [string, number][] = []
  const answerMs: number[] = []
  let refused = 0
  const cpu = process.cpuUsage()
  const post = async (index: number): Promise<void> => {
    const [id, body] = bodies[index] as readonly [string, Buffer]
    const atMs = performance.timeOrigin + performance.now()
    const answer = await request(`${load.gateways[index % load.gateways.length]}/v1/iso20022/pacs008`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/xml', accept: 'application/json' },
      body,
    })
    const text = await answer.body.text()
    answerMs.push(performance.timeOrigin + performance.now() - atMs)
    if (answer.statusCode === 202) accepted.push([id, atMs])
    else {
      refused += 1
      if (refused === 1) process.stderr.write(`bench: ${answer.statusCode} ${text.slice(0, 500)}\n`)
    }
  }
  if (load.rate === 0) {
    let next = 0
    await Promise.all(
      Array.from({ length: load.connections }, async () => {
        for (let index = next++; index < bodies.length; index = next++) await post(index)
      }),
    )
  } else {
    const from = performance.now()
    const under: Promise<void>[] = []
    for (let index = 0; index < bodies.length; index += 1) {
      const waitMs = from + (index * 1_000) / load.rate - performance.now()
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
      under.push(post(index))
    }
    await Promise.all(under)
  }
  const { user, system } = process.cpuUsage(cpu)
  await agent.close()
  return { accepted, refused, answerMs, preparedMs, cpuMs: (user + system) / 1_000 }
}

process.once('message', (load: PaymentLoad) => {
  void send(load).then((sent) => {
    process.send?.(sent, undefined, undefined, () => process.disconnect())
  })
})
