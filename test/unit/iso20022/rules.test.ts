/**
 * Rules of the message definitions between several elements: for each one a message that breaks it, and one that does
 * not.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PACS_008_RULES, PACS_009_RULES, REMARKS } from '../../../src/features/iso20022/message/rules.js'
import {
  envelope009,
  FLAT_008,
  header,
  P8_PARTS,
  type P8Parts,
  pacs008,
  pacs009,
  parse,
} from '../../fixtures/iso20022/messages.js'

const agent = (name: string): string => `<${name}><FinInstnId><BICFI>GAMMGB2L</BICFI></FinInstnId></${name}>`
const account = (name: string): string => `<${name}><Id><Othr><Id>1</Id></Othr></Id></${name}>`
const settled = (method: string, ...rest: readonly string[]): P8Parts => ({
  SttlmInf: `<SttlmInf><SttlmMtd>${method}</SttlmMtd>${rest.join('')}</SttlmInf>`,
})
const instructed = (amount: string, rate = ''): P8Parts => ({
  IntrBkSttlmDt: `${P8_PARTS.IntrBkSttlmDt}${amount}${rate}`,
})
const RATE = '<XchgRate>0.9</XchgRate>'
const USD = '<InstdAmt Ccy="USD">110.00</InstdAmt>'
const EUR = '<InstdAmt Ccy="EUR">100.10</InstdAmt>'
const charges = (amount: string, currency = 'EUR'): string =>
  `<ChrgsInf><Amt Ccy="${currency}">${amount}</Amt>${agent('Agt')}</ChrgsInf>`
const creditorCodes = (...codes: readonly string[]): P8Parts => ({
  end: codes.map((code) => `<InstrForCdtrAgt><Cd>${code}</Cd></InstrForCdtrAgt>`).join(''),
})
const references = (...parts: readonly (readonly [code: string, ref: string, issuer?: string])[]): P8Parts => ({
  end: `<RmtInf>${parts
    .map(([code, ref, issuer = '']) => {
      const type = `<Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry>${issuer === '' ? '' : `<Issr>${issuer}</Issr>`}</Tp>`
      return `<Strd><CdtrRefInf>${type}<Ref>${ref}</Ref></CdtrRefInf></Strd>`
    })
    .join('')}</RmtInf>`,
})
const inGroup = (groupRest: string): P8Parts => ({ groupRest, IntrBkSttlmDt: '' })
const DATE = '<IntrBkSttlmDt>2026-03-02</IntrBkSttlmDt>'
const TOTAL = '<TtlIntrBkSttlmAmt Ccy="EUR">100.1</TtlIntrBkSttlmAmt>'
const TYPE = '<PmtTpInf><InstrPrty>HIGH</InstrPrty></PmtTpInf>'

/** A rule with a message that breaks it, and one that does not. */
type Case = readonly [rule: string, broken: P8Parts, met: P8Parts]

const CASES: readonly Case[] = [
  ['TotalInterbankSettlementAmountAndDateRule', { groupRest: TOTAL }, inGroup(TOTAL + DATE)],
  ['GroupHeaderInterbankSettlementDateRule', { groupRest: DATE }, inGroup(DATE)],
  [
    'PaymentTypeInformationRule',
    { groupEnd: TYPE, PmtId: `${P8_PARTS.PmtId}${TYPE}` },
    { PmtId: `${P8_PARTS.PmtId}${TYPE}` },
  ],
  ['InstructingAgentRule', { groupEnd: agent('InstgAgt'), agents: agent('InstgAgt') }, { groupEnd: agent('InstgAgt') }],
  ['InstructedAgentRule', { groupEnd: agent('InstdAgt'), agents: agent('InstdAgt') }, { agents: agent('InstdAgt') }],
  ['SettlementMethodAgentRule', settled('INDA', agent('InstgRmbrsmntAgt')), settled('INDA', account('SttlmAcct'))],
  ['SettlementMethodAgentRule', settled('INGA', '<ClrSys><Cd>ABC</Cd></ClrSys>'), settled('INGA')],
  [
    'SettlementMethodClearingRule',
    settled('CLRG', account('SttlmAcct')),
    settled('CLRG', '<ClrSys><Cd>ABC</Cd></ClrSys>'),
  ],
  ['SettlementMethodClearingRule', settled('CLRG', agent('InstdRmbrsmntAgt')), settled('CLRG')],
  [
    'SettlementMethodCoverRule',
    settled('COVE', account('SttlmAcct'), agent('InstgRmbrsmntAgt')),
    settled('COVE', agent('InstgRmbrsmntAgt')),
  ],
  ['SettlementMethodCoverAgentRule', settled('COVE'), settled('COVE', agent('InstdRmbrsmntAgt'))],
  [
    'ThirdReimbursementAgentRule',
    settled('COVE', agent('InstgRmbrsmntAgt'), agent('ThrdRmbrsmntAgt')),
    settled('COVE', agent('InstgRmbrsmntAgt'), agent('InstdRmbrsmntAgt'), agent('ThrdRmbrsmntAgt')),
  ],
  ...(['InstgRmbrsmntAgt', 'InstdRmbrsmntAgt', 'ThrdRmbrsmntAgt'] as const).map((name): Case => {
    const all = ['InstgRmbrsmntAgt', 'InstdRmbrsmntAgt', 'ThrdRmbrsmntAgt']
    const chain = (own: string) => all.map((one) => (one === name ? own : agent(one)))
    const met = settled('COVE', ...chain(agent(name) + account(`${name}Acct`)))
    return [`${name}AccountRule`, settled('COVE', ...chain(account(`${name}Acct`))), met]
  }),
  ...(['PrvsInstgAgt', 'IntrmyAgt'] as const).flatMap((name): Case[] => {
    const rule = name === 'IntrmyAgt' ? 'IntermediaryAgent' : 'PreviousInstructingAgent'
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => agent(`${name}${at + 1}`)).join('')
    return [
      [`${rule}2Rule`, { agents: agent(`${name}2`) }, { agents: upTo(2) }],
      [`${rule}3Rule`, { agents: agent(`${name}1`) + agent(`${name}3`) }, { agents: upTo(3) }],
      ...[1, 2, 3].map((at): Case => {
        const before = upTo(at - 1)
        const own = account(`${name}${at}Acct`)
        return [`${rule}${at}AccountRule`, { agents: before + own }, { agents: before + agent(`${name}${at}`) + own }]
      }),
    ]
  }),
  [
    'CurrencyAmountRule',
    instructed('<InstdAmt Ccy="JPY">13.75</InstdAmt>', RATE),
    instructed('<InstdAmt Ccy="JPY">13</InstdAmt>', RATE),
  ],
  [
    'CurrencyAmountRule',
    { ...instructed(EUR), agents: charges('0.001') },
    { ...instructed(EUR), agents: charges('0.01') + charges('0') },
  ],
  ['InstructedAmountRule', instructed('<InstdAmt Ccy="USD">0.00</InstdAmt>', RATE), instructed(USD, RATE)],
  ['InstructedAmountAndExchangeRateRule', instructed(USD), instructed(USD, RATE)],
  ['InstructedAmountAndExchangeRateRule', instructed(EUR, RATE), instructed(EUR)],
  ['InstructedAmountAndExchangeRateRule', instructed('', RATE), instructed('')],
  ['ChargesInformationAndInstructedAmountRule', { agents: charges('1') }, { ...instructed(EUR), agents: charges('1') }],
  ['ChequeInstructionRule', creditorCodes('CHQB'), creditorCodes('HOLD')],
  ['HoldCashAndChequeRule', creditorCodes('HOLD', 'CHQB'), creditorCodes('HOLD', 'PHOB')],
  ['PhoneAndTelecommunicationRule', creditorCodes('PHOB', 'TELB'), creditorCodes('TELB')],
  [
    'CreditorReferenceRule',
    references(['SCOR', 'RF18539007547034'], ['SCOR', 'RF18539007547035']),
    references(['SCOR', 'RF18539007547034'], ['SCOR', 'RF18 5390 0754 7034'], ['SCOR', '2348226'], ['PUOR', 'RF01X']),
  ],
  ['CreditorReferenceRule', references(['SCOR', '2348226', 'ISO']), references(['SCOR', 'rf18539007547034', 'ISO'])],
]

/** Names of the rules that a message breaks. */
function brokenBy(message: string): readonly string[] {
  const result = parse(message)
  if (result.ok) return []
  return result.faults.filter(({ code }) => code === 'message_rule').map(({ hint }) => hint.split(/[ :]/)[0] ?? '')
}

describe('a rule of pacs.008', () => {
  it.each(CASES)('%s refuses a message that violates it, and accepts the valid counterpart', (rule, broken, met) => {
    expect(brokenBy(pacs008(broken))).toContain(rule)
    expect(brokenBy(pacs008(met))).toEqual([])
  })

  it('has a test case for each entry of the rule table', () => {
    const names = new Set([...CASES.map(([rule]) => rule), 'CopyDuplicateRule'])
    expect(PACS_008_RULES.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
  })
})

it('each message rule is listed in the reference', () => {
  const page = readFileSync(new URL('../../../docs/reference/iso20022.md', import.meta.url), 'utf8')
  const inRange = (name: string): boolean => /(?:2|3)AccountRule$/.test(name)
  expect(
    [...PACS_008_RULES, ...REMARKS].map(({ name }) => name).filter((name) => !inRange(name) && !page.includes(name)),
  ).toEqual([])
})

it('rules of pacs.009 refuse the same as for pacs.008', () => {
  expect(PACS_009_RULES.every((rule) => PACS_008_RULES.includes(rule))).toBe(true)
  expect(brokenBy(envelope009(pacs009({ groupEnd: agent('InstgAgt') })))).toEqual(['InstructingAgentRule'])
  const last = pacs009().replace('<InstgAgt>', `${agent('PrvsInstgAgt2')}<InstgAgt>`)
  expect(brokenBy(envelope009(last))).toEqual(['PreviousInstructingAgent2Rule'])
  expect(brokenBy(envelope009())).toEqual([])
})

describe('a header with a copy or duplicate marker', () => {
  const marked = (code: string, message: string) => message.replace('</CreDt>', `</CreDt><CpyDplct>${code}</CpyDplct>`)
  const with008 = (version = '02') =>
    `<Envelope>${header('pacs.008.001.08', 'PAY-1', `urn:iso:std:iso:20022:tech:xsd:head.001.001.${version}`)}${pacs008()}</Envelope>`

  it('is rejected if it marks a copy, but accepted if it marks a duplicate', () => {
    for (const code of ['COPY', 'CODU']) {
      for (const version of ['01', '02', '03', '04']) {
        const text = version === '01' ? with008('01').replace('+01:00</CreDt>', 'Z</CreDt>') : with008(version)
        expect(brokenBy(marked(code, text))).toEqual(['CopyDuplicateRule'])
      }
      expect(brokenBy(marked(code, envelope009()))).toEqual(['CopyDuplicateRule'])
      expect(brokenBy([...FLAT_008, 'MsgDefIdr=pacs.008.001.08', `CpyDplct=${code}`].join('\n'))).toEqual([
        'CopyDuplicateRule',
      ])
    }
    expect(parse(marked('DUPL', with008())).ok).toBe(true)
    expect(parse([...FLAT_008, 'MsgDefIdr=pacs.008.001.08', 'AppHdr/CpyDplct=DUPL'].join('\n')).ok).toBe(true)
  })
})

it('message rules also apply to fields in flat form', () => {
  const flat = (...more: string[]) => [...FLAT_008, 'MsgDefIdr=pacs.008.001.08', ...more].join('\n')
  expect(brokenBy(flat('SttlmMtd=COVE'))).toEqual(['SettlementMethodCoverAgentRule'])
  expect(brokenBy(flat('InstrForCdtrAgt/Cd=CHQB'))).toEqual(['ChequeInstructionRule'])
  expect(brokenBy(flat('InstrForCdtrAgt[1]/Cd=PHOB', 'InstrForCdtrAgt[2]/Cd=TELB'))).toEqual([
    'PhoneAndTelecommunicationRule',
  ])
  expect(parse(flat('SttlmMtd=INDA', 'InstrForCdtrAgt/Cd=TELB')).ok).toBe(true)
})

describe('an address that has only address lines', () => {
  const lines = '<AdrLine>1 High Street</AdrLine><AdrLine>London</AdrLine>'
  const at = (address: string, date = '2026-11-14'): P8Parts => ({
    IntrBkSttlmDt: `<IntrBkSttlmDt>${date}</IntrBkSttlmDt>`,
    Dbtr: `<Dbtr><Nm>Alpha</Nm><PstlAdr>${address}</PstlAdr></Dbtr>`,
  })
  const remarks = (parts: P8Parts): readonly string[] => {
    const result = parse(pacs008(parts))
    if (!result.ok) throw new Error('refused')
    return result.warnings.map(({ code, path, hint }) => `${code} ${path.split('/').at(-1)} ${hint.split(':')[0]}`)
  }

  it('causes a warning from the date on which other systems reject it', () => {
    expect(remarks(at(lines))).toEqual(['message_rule AdrLine[1] StructuredAddressRule'])
    expect(remarks(at(`<Ctry>GB</Ctry>${lines}`))).toHaveLength(1)
    expect(remarks(at(lines, '2026-11-13'))).toEqual([])
    expect(remarks(at(`<TwnNm>London</TwnNm><Ctry>GB</Ctry>${lines}`))).toEqual([])
    expect(remarks(at('<TwnNm>London</TwnNm><Ctry>GB</Ctry>'))).toEqual([])
  })

  it('also causes a warning for an agent', () => {
    const agents = `<IntrmyAgt1><FinInstnId><Nm>Gamma</Nm><PstlAdr>${lines}</PstlAdr></FinInstnId></IntrmyAgt1>`
    expect(remarks({ ...at(''), Dbtr: P8_PARTS.Dbtr, agents })).toHaveLength(1)
  })
})

describe('a legal entity identifier', () => {
  const at = (lei: string): P8Parts => ({
    agents: `<IntrmyAgt1><FinInstnId><LEI>${lei}</LEI></FinInstnId></IntrmyAgt1>`,
  })

  it('is rejected in any position if its check digits are wrong, and its rule is in the reference', () => {
    for (const lei of ['5299000TESTBANK00113', '529900T8BM49AURSDO56', '529900T8BM49AURSDO54']) {
      const result = parse(pacs008(at(lei)))
      expect(result).toMatchObject({ ok: false, faults: [{ code: 'lei_checksum', value: lei }] })
    }
    const organisation = '<Dbtr><Id><OrgId><LEI>5299000TESTBANK00113</LEI></OrgId></Id></Dbtr>'
    expect(parse(pacs008({ Dbtr: organisation }))).toMatchObject({ ok: false, faults: [{ code: 'lei_checksum' }] })
    const page = readFileSync(new URL('../../../docs/reference/iso20022.md', import.meta.url), 'utf8')
    expect(page).toContain('LegalEntityIdentifierRule')
  })

  it('is accepted with valid check digits', () => {
    for (const lei of ['5299000TESTBANK00112', '529900T8BM49AURSDO55']) expect(parse(pacs008(at(lei))).ok).toBe(true)
  })
})
