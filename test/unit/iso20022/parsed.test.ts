/** Families without an endpoint: values that their field tables accept and refuse, and the places of faults. */
import { describe, expect, it } from 'vitest'
import { PARSED_FAMILIES, parseMessage, WORKFLOW_FAMILIES } from '../../../src/features/iso20022/message/index.js'
import { fieldTable } from '../../../src/features/iso20022/message/parsed/table.js'
import { checkCusip, checkIsin } from '../../../src/features/iso20022/message/values/security.js'
import { header, pacs008 } from '../../fixtures/iso20022/messages.js'

const NS = 'urn:iso:std:iso:20022:tech:xsd:'
const doc = (definition: string, body: string) => `<Document xmlns="${NS}${definition}">${body}</Document>`
const parse = (text: string, family?: string) => parseMessage(Buffer.from(text), family === undefined ? {} : { family })
const faults = (text: string, family?: string) => {
  const result = parse(text, family)
  if (result.ok) throw new Error('accepted')
  return result.faults.map((one) => `${one.code}@${one.path}`)
}
const fields = (text: string, family?: string): Record<string, string> => {
  const result = parse(text, family)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return Object.fromEntries(result.message.fields.map(({ name, value }) => [name, value]))
}

const GROUP = '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-01T10:00:00Z</CreDtTm></GrpHdr>'
const ORIGINAL = '<OrgnlGrpInf><OrgnlMsgId>P1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId></OrgnlGrpInf>'
const ACCOUNT = '<Acct><Id><IBAN>DE75512108001245126199</IBAN></Id><Ccy>EUR</Ccy></Acct>'

/** A small valid message of each family, its definition and one required part of it. */
const SAMPLES: Record<string, { definition: string; body: string; needs: string; missing: string }> = {
  'pacs.002': {
    definition: 'pacs.002.001.12',
    body: `<FIToFIPmtStsRpt>${GROUP}<OrgnlGrpInfAndSts><OrgnlMsgId>P1</OrgnlMsgId><GrpSts>ACWC</GrpSts></OrgnlGrpInfAndSts></FIToFIPmtStsRpt>`,
    needs: '<OrgnlMsgId>P1</OrgnlMsgId>',
    missing: 'field_required@/Document/FIToFIPmtStsRpt/OrgnlGrpInfAndSts/OrgnlMsgId',
  },
  'pacs.004': {
    definition: 'pacs.004.001.09',
    body: `<PmtRtr>${GROUP.replace('</GrpHdr>', '<NbOfTxs>1</NbOfTxs></GrpHdr>')}<TxInf>${ORIGINAL}<RtrdIntrBkSttlmAmt Ccy="EUR">5</RtrdIntrBkSttlmAmt></TxInf></PmtRtr>`,
    needs: '<RtrdIntrBkSttlmAmt Ccy="EUR">5</RtrdIntrBkSttlmAmt>',
    missing: 'field_required@/Document/PmtRtr/TxInf[1]/RtrdInstdAmt',
  },
  'pacs.007': {
    definition: 'pacs.007.001.09',
    body: `<FIToFIPmtRvsl>${GROUP}<OrgnlGrpInf><OrgnlMsgId>P1</OrgnlMsgId></OrgnlGrpInf><TxInf><OrgnlInstrId>I</OrgnlInstrId></TxInf></FIToFIPmtRvsl>`,
    needs: '<TxInf><OrgnlInstrId>I</OrgnlInstrId></TxInf>',
    missing: 'element_missing@/Document/FIToFIPmtRvsl/TxInf',
  },
  'pacs.028': {
    definition: 'pacs.028.001.03',
    body: `<FIToFIPmtStsReq>${GROUP}<TxInf>${ORIGINAL}</TxInf></FIToFIPmtStsReq>`,
    needs: ORIGINAL,
    missing: 'field_required@/Document/FIToFIPmtStsReq/OrgnlGrpInf/OrgnlMsgId',
  },
  'pacs.029': {
    definition: 'pacs.029.001.01',
    body: `<Rsltn>${GROUP}${ORIGINAL}<TxInfAndSts><TxSts>MS02</TxSts></TxInfAndSts></Rsltn>`,
    needs: '<TxSts>MS02</TxSts>',
    missing: 'field_required@/Document/Rsltn/TxInfAndSts[1]/TxSts',
  },
  'pain.001': {
    definition: 'pain.001.001.09',
    body:
      '<CstmrCdtTrfInitn><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-01T10:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs></GrpHdr><PmtInf><PmtInfId>P</PmtInfId><PmtMtd>TRF</PmtMtd>' +
      '<ReqdExctnDt><Dt>2026-03-02</Dt></ReqdExctnDt><DbtrAcct><Id><IBAN>DE75512108001245126199</IBAN></Id></DbtrAcct><CdtTrfTxInf><PmtId><EndToEndId>E</EndToEndId></PmtId>' +
      '<Amt><InstdAmt Ccy="EUR">5</InstdAmt></Amt><CdtrAcct><Id><IBAN>FR7630006000011234567890189</IBAN></Id></CdtrAcct></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn>',
    needs: '<EndToEndId>E</EndToEndId>',
    missing: 'field_required@/Document/CstmrCdtTrfInitn/PmtInf[1]/CdtTrfTxInf[1]/PmtId/EndToEndId',
  },
  'pain.002': {
    definition: 'pain.002.001.10',
    body: `<CstmrPmtStsRpt>${GROUP}<OrgnlGrpInfAndSts><OrgnlMsgId>P1</OrgnlMsgId></OrgnlGrpInfAndSts></CstmrPmtStsRpt>`,
    needs: '<OrgnlMsgId>P1</OrgnlMsgId>',
    missing: 'field_required@/Document/CstmrPmtStsRpt/OrgnlGrpInfAndSts/OrgnlMsgId',
  },
  'camt.052': {
    definition: 'camt.052.001.08',
    body: `<BkToCstmrAcctRpt>${GROUP}<Rpt><Id>R</Id><CreDtTm>2026-03-01T10:00:00Z</CreDtTm>${ACCOUNT}</Rpt></BkToCstmrAcctRpt>`,
    needs: '<Id>R</Id>',
    missing: 'field_required@/Document/BkToCstmrAcctRpt/Rpt[1]/Id',
  },
  'camt.053': {
    definition: 'camt.053.001.08',
    body: `<BkToCstmrStmt>${GROUP}<Stmt><Id>S</Id>${ACCOUNT}<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal></Stmt></BkToCstmrStmt>`,
    needs: '<Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp>',
    missing: 'field_required@/Document/BkToCstmrStmt/Stmt[1]/Bal[1]/Tp/CdOrPrtry/Cd',
  },
  'camt.054': {
    definition: 'camt.054.001.08',
    body: `<BkToCstmrDbtCdtNtfctn>${GROUP}<Ntfctn><Id>N</Id>${ACCOUNT}<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn>`,
    needs: '<CdtDbtInd>CRDT</CdtDbtInd>',
    missing: 'field_required@/Document/BkToCstmrDbtCdtNtfctn/Ntfctn[1]/Ntry[1]/CdtDbtInd',
  },
  'camt.056': {
    definition: 'camt.056.001.08',
    body: `<FIToFIPmtCxlReq><Assgnmt><Id>A</Id><CreDtTm>2026-03-01T10:00:00Z</CreDtTm></Assgnmt><Undrlyg><TxInf>${ORIGINAL}</TxInf></Undrlyg></FIToFIPmtCxlReq>`,
    needs: '<Id>A</Id>',
    missing: 'field_required@/Document/FIToFIPmtCxlReq/Assgnmt/Id',
  },
  'colr.007': {
    definition: 'colr.007.001.06',
    body:
      '<CollSbstitnConf><TxId>T</TxId><OblgtnId>O</OblgtnId><Substitution><OriginalAmt>5</OriginalAmt><OriginalCcy>EUR</OriginalCcy><SubstituteAmt>5</SubstituteAmt>' +
      '<SubstituteCcy>EUR</SubstituteCcy><EffectiveDt>2026-03-02</EffectiveDt><Type>FULL</Type></Substitution></CollSbstitnConf>',
    needs: '<Type>FULL</Type>',
    missing: 'field_required@/Document/CollSbstitnConf/Substitution/Type',
  },
}

const SESE_023 = [
  'TxId=T1',
  'SttlmDt=2026-03-02',
  'SttlmTpAndAddtlParams/SctiesMvmntTp=DELI',
  'SttlmTpAndAddtlParams/Pmt=APMT',
  'SctiesLeg/FinInstrmId=US0378331005',
  'SctiesLeg/Qty=100',
  'CashLeg/Amt=500.00',
  'CashLeg/Ccy=USD',
  'DlvrgSttlmPties/Pty/Bic=ALPHDEFF',
  'DlvrgSttlmPties/Acct=A1',
  'RcvgSttlmPties/Pty/Bic=BETAFRPP',
  'RcvgSttlmPties/Acct=B1',
  'Plan/ExecutionOrder=DELIVERY_THEN_PAYMENT',
  'Plan/Atomicity=ALL_OR_NOTHING',
]

describe('a message family without an endpoint', () => {
  it.each(Object.keys(SAMPLES))(
    '%s is accepted with its fields, and rejected at the position of a missing field',
    (name) => {
      const { definition, body, needs, missing } = SAMPLES[name] as (typeof SAMPLES)[string]
      const result = parse(doc(definition, body))
      expect(result).toMatchObject({ ok: true, message: { family: name, definition } })
      expect(faults(doc(definition, body.replace(needs, '')))).toContain(missing)
      expect(faults(doc(definition, '<Wrong/>')).length).toBeGreaterThan(0)
      expect(faults(doc(definition, ''))).toContain('element_missing@/Document')
    },
  )

  it('is rejected with all faults at once, each with line and column', () => {
    const { body } = SAMPLES['camt.054'] as (typeof SAMPLES)[string]
    const wrong = body.replace('CRDT', 'UP').replace('Ccy="EUR">1', 'Ccy="eur">1.123456').replace('>N<', '><')
    const result = parse(`\n${doc('camt.054.001.08', wrong)}`)
    if (result.ok) throw new Error('accepted')
    expect(result.faults.map((one) => one.code)).toEqual([
      'value_missing',
      'amount_format',
      'currency_format',
      'code_unknown',
    ])
    for (const one of result.faults) expect([one.line > 1, one.column > 1]).toEqual([true, true])
  })

  it('may repeat elements up to the size limit of a body, and at least one is required where mandatory', () => {
    const entry = '<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Ntry>'
    const reports = (count: number, entries: number) =>
      `<Rpt><Id>R</Id><CreDtTm>2026-03-01T10:00:00Z</CreDtTm>${ACCOUNT}${entry.repeat(entries)}</Rpt>`.repeat(count)
    for (const [count, entries] of [
      [65, 0],
      [1, 1_500],
    ] as const) {
      const body = `<BkToCstmrAcctRpt>${GROUP}${reports(count, entries)}</BkToCstmrAcctRpt>`
      expect(parse(doc('camt.052.001.08', body)).ok).toBe(true)
    }
    expect(faults(doc('camt.052.001.08', `<BkToCstmrAcctRpt>${GROUP}</BkToCstmrAcctRpt>`))).toEqual([
      'element_missing@/Document/BkToCstmrAcctRpt/Rpt',
    ])
  })

  it('limits reasons and texts of a status per transaction', () => {
    const info = '<AddtlInf>l</AddtlInf>'.repeat(9)
    const reason = '<StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf>'.repeat(9)
    const transaction = `<TxInfAndSts><TxSts>RJCT</TxSts>${reason}<StsRsnInf>${info}</StsRsnInf></TxInfAndSts>`
    const original = '<OrgnlGrpInfAndSts><OrgnlMsgId>P1</OrgnlMsgId></OrgnlGrpInfAndSts>'
    const body = `<FIToFIPmtStsRpt>${GROUP}${original}${transaction.repeat(9)}</FIToFIPmtStsRpt>`
    expect(parse(doc('pacs.002.001.10', body)).ok).toBe(true)
  })

  it('is parsed in the same way from flat lines, flat JSON and flat XML', () => {
    const read = fields(SESE_023.join('\n'), 'sese.023')
    expect(read['SctiesLeg/FinInstrmId']).toBe('US0378331005')
    const json = JSON.stringify({ message: 'sese.023', ...Object.fromEntries(SESE_023.map((line) => line.split('='))) })
    expect(fields(json)).toEqual(read)
    const xml = SESE_023.map((line) => `<Field path="${line.split('=')[0]}">${line.split('=')[1]}</Field>`).join('')
    expect(fields(`<ISO20022 message="sese.023">${xml}</ISO20022>`)).toEqual(read)
    const confirmed = [...SESE_023, 'ConfSts=ACCP', 'SttlmQty=100', 'SttlmAmt=500.00', 'SttlmCcy=USD'].join('\n')
    expect(fields(confirmed, 'sese.025')['ConfSts']).toBe('ACCP')
    expect(faults(SESE_023.join('\n').replace('US0378331005', 'US0378331006'), 'sese.023')).toEqual([
      'isin_checksum@/SctiesLeg/FinInstrmId',
    ])
  })

  it('has numbered groups in flat form, and a repeated or unknown key is a fault', () => {
    const lines = [
      'Stmt[1]/Id=S',
      'Stmt[1]/Acct/Id=DE75512108001245126199',
      'Stmt[1]/Acct/Ccy=EUR',
      'Stmt[1]/Bal[1]/Amt=1',
      'Stmt[1]/Bal[1]/Ccy=EUR',
      'Stmt[1]/Bal[1]/Cd=OPBD',
      'Stmt[1]/Bal[2]/Amt=x',
      'Stmt[1]/Bal[2]/Ccy=EUR',
    ]
    expect(faults(lines.join('\n'), 'camt.053')).toEqual([
      'field_required@/Stmt[1]/Bal[2]/Cd',
      'amount_format@/Stmt[1]/Bal[2]/Amt',
    ])
    expect(faults([...lines.slice(0, 6), 'Stmt[1]/Id=T'].join('\n'), 'camt.053')).toEqual([
      'field_repeated@/Stmt[1]/Id',
    ])
    const result = parse([...lines.slice(0, 6), 'Nonsense=1'].join('\n'), 'camt.053')
    expect(result.ok && result.warnings.map((one) => one.code)).toEqual(['field_unknown'])
  })
})

describe('a payment status', () => {
  const report = (transaction: string, group = '', reason = 'AM04') =>
    doc(
      'pacs.002.001.10',
      `<FIToFIPmtStsRpt>${GROUP}<OrgnlGrpInfAndSts><OrgnlMsgId>P1</OrgnlMsgId>${group}</OrgnlGrpInfAndSts><TxInfAndSts>${transaction}` +
        `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts></FIToFIPmtStsRpt>`,
    )

  it('must be in the external code set for transactions or for groups', () => {
    for (const code of 'ACCC ACCP ACFC ACIS ACPD ACSC ACSP ACTC ACWC ACWP BLCK CANC CPUC PATC PDNG PRES RCVD RJCT'.split(
      ' ',
    ))
      expect(parse(report(`<TxSts>${code}</TxSts>`)).ok, code).toBe(true)
    for (const code of ['PART', 'XXXX', 'acsc'])
      expect(faults(report(`<TxSts>${code}</TxSts>`)), code).toEqual([
        'code_unknown@/Document/FIToFIPmtStsRpt/TxInfAndSts/TxSts',
        'code_unknown@/Document/FIToFIPmtStsRpt/TxInfAndSts[1]/TxSts',
      ])
    for (const code of ['PART', 'PATC', 'ACFC'])
      expect(parse(report('<TxSts>ACSP</TxSts>', `<GrpSts>${code}</GrpSts>`)).ok, code).toBe(true)
    expect(faults(report('<TxSts>ACSP</TxSts>', '<GrpSts>BLCK</GrpSts>'))).toEqual([
      'code_unknown@/Document/FIToFIPmtStsRpt/OrgnlGrpInfAndSts/GrpSts',
    ])
  })

  it('is accepted with a warning if its reason is not in the external code set', () => {
    const remarks = (reason: string) => {
      const result = parse(report('<TxSts>RJCT</TxSts>', '', reason))
      if (!result.ok) throw new Error('refused')
      return result.warnings.map(({ code, value }) => `${code} ${value}`)
    }
    for (const code of ['AC01', 'BE23', 'DS0K', 'FF13', 'UPAY']) expect(remarks(code), code).toEqual([])
    expect(new Set(remarks('ZZ99'))).toEqual(new Set(['reason_unknown ZZ99']))
  })
})

describe('control figures', () => {
  const returned = (group: string, ...amounts: string[]) =>
    doc(
      'pacs.004.001.09',
      `<PmtRtr>${GROUP.replace('</GrpHdr>', `${group}</GrpHdr>`)}` +
        `${amounts.map((one) => `<TxInf>${ORIGINAL}<RtrdIntrBkSttlmAmt Ccy="EUR">${one}</RtrdIntrBkSttlmAmt></TxInf>`).join('')}</PmtRtr>`,
    )
  const total = (amount: string) => `<TtlRtrdIntrBkSttlmAmt Ccy="EUR">${amount}</TtlRtrdIntrBkSttlmAmt>`

  it('of a return agree with its transactions', () => {
    const good = `<NbOfTxs>2</NbOfTxs><CtrlSum>3.50</CtrlSum>${total('3.5')}`
    expect(parse(returned(good, '1.00', '2.50')).ok).toBe(true)
    expect(faults(returned(`<NbOfTxs>1</NbOfTxs><CtrlSum>3</CtrlSum>${total('4')}`, '1.00', '2.50'))).toEqual([
      'transaction_count@/Document/PmtRtr/GrpHdr/NbOfTxs',
      'control_sum@/Document/PmtRtr/GrpHdr/CtrlSum',
      'control_sum@/Document/PmtRtr/GrpHdr/TtlRtrdIntrBkSttlmAmt',
    ])
  })

  it('of a reversal agree with its transactions', () => {
    const reversal = (group: string) =>
      doc(
        'pacs.007.001.09',
        `<FIToFIPmtRvsl>${GROUP.replace('</GrpHdr>', `${group}</GrpHdr>`)}<OrgnlGrpInf><OrgnlMsgId>P1</OrgnlMsgId></OrgnlGrpInf>` +
          '<TxInf><RvsdIntrBkSttlmAmt Ccy="EUR">5</RvsdIntrBkSttlmAmt></TxInf></FIToFIPmtRvsl>',
      )
    expect(parse(reversal('<NbOfTxs>1</NbOfTxs><CtrlSum>5.0</CtrlSum>')).ok).toBe(true)
    expect(faults(reversal('<NbOfTxs>2</NbOfTxs><CtrlSum>6</CtrlSum>'))).toHaveLength(2)
  })

  it('of an initiation agree in the header and in each of its instructions', () => {
    const { body } = SAMPLES['pain.001'] as (typeof SAMPLES)[string]
    const [, head = '', instruction = ''] = /^(.*?)(<PmtInf>.*<\/PmtInf>)/.exec(body) ?? []
    const made = (group: string, ...own: string[]) =>
      doc(
        'pain.001.001.09',
        `${head.replace('<NbOfTxs>1</NbOfTxs>', group)}${own.map((one) => instruction.replace('</PmtMtd>', `</PmtMtd>${one}`)).join('')}</CstmrCdtTrfInitn>`,
      )
    const one = '<NbOfTxs>1</NbOfTxs><CtrlSum>5</CtrlSum>'
    expect(parse(made('<NbOfTxs>2</NbOfTxs><CtrlSum>10</CtrlSum>', one, one)).ok).toBe(true)
    expect(faults(made('<NbOfTxs>1</NbOfTxs><CtrlSum>5</CtrlSum>', one, one.replace('>5<', '>6<')))).toEqual([
      'transaction_count@/Document/CstmrCdtTrfInitn/GrpHdr/NbOfTxs',
      'control_sum@/Document/CstmrCdtTrfInitn/GrpHdr/CtrlSum',
      'control_sum@/Document/CstmrCdtTrfInitn/PmtInf[2]/CtrlSum',
    ])
  })
})

describe('the reference to an original message', () => {
  const UETR = '<OrgnlUETR>0b6f1b7c-5a3e-4a51-9c1d-3b1f6c2d7e80</OrgnlUETR>'
  const returned = (...ids: string[]) =>
    doc(
      'pacs.004.001.09',
      `<PmtRtr>${GROUP.replace('</GrpHdr>', `<NbOfTxs>${ids.length}</NbOfTxs></GrpHdr>`)}` +
        `${ids.map((one) => `<TxInf>${one}<RtrdIntrBkSttlmAmt Ccy="EUR">1</RtrdIntrBkSttlmAmt></TxInf>`).join('')}</PmtRtr>`,
    )

  it('is its message id or, in each transaction, its UETR', () => {
    expect(parse(returned(UETR, UETR)).ok).toBe(true)
    const missing = ['field_required@/Document/PmtRtr/OrgnlGrpInf/OrgnlMsgId']
    expect(faults(returned(UETR, ''))).toEqual(missing)
    expect(faults(returned(''))).toEqual(missing)
    const cancelled = `<FIToFIPmtCxlReq><Assgnmt><Id>A</Id><CreDtTm>2026-03-01T10:00:00Z</CreDtTm></Assgnmt><Undrlyg><TxInf>${UETR}</TxInf></Undrlyg></FIToFIPmtCxlReq>`
    expect(parse(doc('camt.056.001.08', cancelled)).ok).toBe(true)
    const lines = ['Assgnmt/Id=A', 'Assgnmt/CreDtTm=2026-03-01T10:00:00Z']
    const named = 'Undrlyg/TxInf/OrgnlUETR=0b6f1b7c-5a3e-4a51-9c1d-3b1f6c2d7e80'
    expect(parse([...lines, named].join('\n'), 'camt.056').ok).toBe(true)
    expect(faults(lines.join('\n'), 'camt.056')).toEqual(['field_required@/Undrlyg/TxInf/OrgnlGrpInf/OrgnlMsgId'])
  })
})

describe('a header without a document', () => {
  it('must have its date in UTC in the first header version', () => {
    const first = header('pacs.008.001.08', 'BIZ-1', `${NS}head.001.001.01`)
    expect(faults(first)).toEqual(['datetime_zone@/AppHdr/CreDt'])
    expect(parse(first.replace('+01:00', 'Z')).ok).toBe(true)
    expect(faults(first.replace('+01:00', ''))).toEqual(['datetime_zone@/AppHdr/CreDt'])
  })

  it('is parsed as a message of family head.001', () => {
    expect(fields(header('pacs.008.001.08'))).toMatchObject({ BizMsgIdr: 'BIZ-1', MsgDefIdr: 'pacs.008.001.08' })
    expect(faults(header('pacs.008.001.08').replace('<CreDt>2026-03-01T10:00:00+01:00</CreDt>', ''))).toContain(
      'element_missing@/AppHdr/CreDt',
    )
    expect(fields('BizMsgIdr=B\nMsgDefIdr=pacs.008.001.08\nCreDt=2026-03-01T10:00:00Z', 'head.001')['BizMsgIdr']).toBe(
      'B',
    )
  })
})

describe('the family of a message', () => {
  it('is classified as booked, parsed, a workflow reference, or unknown', () => {
    expect(parse(pacs008())).toMatchObject({
      ok: true,
      message: { family: 'pacs.008', booked: { messageId: 'PAY-1' } },
    })
    for (const family of Object.keys(WORKFLOW_FAMILIES)) {
      expect(faults(doc(`${family}.001.01`, '<X/>'))).toEqual(['family_workflow@/Document'])
    }
    expect(faults(doc('pacs.010.001.03', '<X/>'))).toEqual(['family_unknown@/Document'])
    expect(faults(pacs008(), 'camt.053')).toEqual(['family_other@/Document'])
    expect(faults('A=B')).toEqual(['family_missing@/MsgDefIdr'])
  })

  it('covers all families in the specification', () => {
    expect(PARSED_FAMILIES.map((one) => one.family).sort()).toEqual(
      'camt.052 camt.053 camt.054 camt.056 colr.007 head.001 pacs.002 pacs.004 pacs.007 pacs.028 pacs.029 pain.001 pain.002 sese.023 sese.025'.split(
        ' ',
      ),
    )
  })
})

describe('identifiers of securities', () => {
  it('have check digits', () => {
    for (const good of ['US0378331005', 'AU0000XVGZA3', 'GB0002634946']) expect(checkIsin(good), good).toBeUndefined()
    for (const bad of ['US0378331004', 'US037833100', 'us0378331005'])
      expect(checkIsin(bad)?.code, bad).toMatch(/^isin_/)
    for (const good of ['037833100', '17275R102', '38259P508']) expect(checkCusip(good), good).toBeUndefined()
    for (const bad of ['037833101', '03783310']) expect(checkCusip(bad)?.code, bad).toMatch(/^cusip_/)
  })
})

describe('the definition of a field table', () => {
  it('is refused if it is invalid', () => {
    for (const bad of ['req A', 'req A nonsense', '  req A id35', 'maybe A id35'])
      expect(() => fieldTable(bad)).toThrow()
  })
})
