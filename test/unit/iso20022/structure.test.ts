import { describe, expect, it } from 'vitest'
import { HEADERS } from '../../../src/features/iso20022/message/structure/head001.js'
import { PACS_008_001_08 } from '../../../src/features/iso20022/message/structure/pacs008.js'
import { PACS_009_001_10 } from '../../../src/features/iso20022/message/structure/pacs009.js'
import { compile } from '../../../src/features/iso20022/message/structure/schema.js'
import { accepted, P8, P8_PARTS, pacs008, refused, T8 } from '../../fixtures/iso20022/messages.js'

describe('structure definitions of messages', () => {
  it('can be compiled for every type', () => {
    for (const table of [PACS_008_001_08, PACS_009_001_10])
      for (const name of Object.keys(table)) expect(compile(table, name)).toBeDefined()
    for (const table of Object.values(HEADERS)) expect(compile(table, 'AppHdr').kind).toBe('sequence')
  })

  it('are rejected if they contain mistakes', () => {
    expect(() => compile({ A: 'B:Nothing' }, 'A')).toThrow(/no type Nothing/)
    expect(() => compile({ A: 'B-text35' }, 'A')).toThrow(/bad token/)
    expect(() => compile({ A: 'B:A' }, 'A')).toThrow(/contains itself/)
  })
})

describe('the structure check of a message', () => {
  it('refuses each missing element by its own path', () => {
    const where: Record<string, string> = {
      MsgId: `${P8}/GrpHdr/MsgId`,
      CreDtTm: `${P8}/GrpHdr/CreDtTm`,
      NbOfTxs: `${P8}/GrpHdr/NbOfTxs`,
      SttlmInf: `${P8}/GrpHdr/SttlmInf`,
    }
    for (const part of [
      'MsgId',
      'CreDtTm',
      'NbOfTxs',
      'SttlmInf',
      'PmtId',
      'IntrBkSttlmAmt',
      'ChrgBr',
      'Dbtr',
      'DbtrAgt',
      'CdtrAgt',
      'Cdtr',
    ] as const) {
      expect(refused(pacs008({ [part]: '' })).codes).toEqual([`element_missing@${where[part] ?? `${T8}/${part}`}`])
    }
  })

  it('refuses a wrong order, a repetition and an unknown element, all at once', () => {
    const { stage, codes, faults } = refused(
      pacs008({
        MsgId: '',
        CreDtTm: `${P8_PARTS.CreDtTm}${P8_PARTS.MsgId}`,
        IntrBkSttlmDt: '<IntrBkSttlmDt>2026-03-02</IntrBkSttlmDt><IntrBkSttlmDt>2026-03-03</IntrBkSttlmDt>',
        ChrgBr: '<ChrgBr>NONE</ChrgBr>',
        Dbtr: '<Dbtr><nm>Alpha</nm></Dbtr>',
      }),
    )
    expect(stage).toBe('invalid')
    expect(codes).toEqual([
      `element_order@${P8}/GrpHdr/MsgId`,
      `element_repeated@${T8}/IntrBkSttlmDt`,
      `code_unknown@${T8}/ChrgBr`,
      `element_unknown@${T8}/Dbtr/nm`,
    ])
    expect(faults[3]?.hint).toBe('Write Nm.')
    expect(faults[2]?.expected).toBe('one of DEBT, CRED, SHAR, SLEV')
  })

  it('limits repeated elements, and numbers them in paths', () => {
    const lines = (count: number) => `<Dbtr><PstlAdr>${'<AdrLine>x</AdrLine>'.repeat(count)}</PstlAdr></Dbtr>`
    accepted(pacs008({ Dbtr: lines(7) }))
    expect(refused(pacs008({ Dbtr: lines(8) })).codes).toEqual([`element_repeated@${T8}/Dbtr/PstlAdr/AdrLine[8]`])
    const long = `<RmtInf><Ustrd>a</Ustrd><Ustrd>${'b'.repeat(141)}</Ustrd></RmtInf>`
    expect(refused(pacs008({ end: long })).codes).toEqual([`text_length@${T8}/RmtInf/Ustrd[2]`])
  })

  it('requires exactly one element of a choice', () => {
    const id = (content: string) => pacs008({ DbtrAcct: `<DbtrAcct><Id>${content}</Id></DbtrAcct>` })
    expect(refused(id('')).codes).toEqual([`element_missing@${T8}/DbtrAcct/Id`])
    expect(refused(id('<IBAN>DE75512108001245126199</IBAN><Othr><Id>1</Id></Othr>')).codes).toEqual([
      `choice_repeated@${T8}/DbtrAcct/Id/Othr`,
    ])
  })

  it('refuses text between elements, elements in values and unknown attributes', () => {
    expect(refused(pacs008({ Dbtr: '<Dbtr>x<Nm>A</Nm></Dbtr>' })).codes).toEqual([`text_unexpected@${T8}/Dbtr`])
    expect(refused(pacs008({ Dbtr: '<Dbtr><Nm><b/></Nm></Dbtr>' })).codes).toEqual([
      `element_unexpected@${T8}/Dbtr/Nm/b`,
    ])
    expect(refused(pacs008({ Dbtr: '<Dbtr a="1"><Nm>A</Nm></Dbtr>' })).codes).toEqual([
      `attribute_unknown@${T8}/Dbtr/@a`,
    ])
  })

  it('reports line and column, and clips the found value', () => {
    const body = pacs008({ ChrgBr: `\n   <ChrgBr>${'Z'.repeat(200)}</ChrgBr>` })
    expect(refused(body).faults[0]).toMatchObject({
      line: 2,
      column: 4,
      value: `${'Z'.repeat(63)}…`,
      reasonCode: 'FF01',
    })
  })

  it('accepts exactly one foreign element in supplementary data', () => {
    const data = (content: string) =>
      pacs008({ end: `<SplmtryData><PlcAndNm>here</PlcAndNm><Envlp>${content}</Envlp></SplmtryData>` })
    accepted(data('<x xmlns="urn:x" y="1">text<z/></x>'))
    expect(refused(data('<x xmlns="urn:x"/><y xmlns="urn:x"/>')).codes).toEqual([
      `envelope_content@${T8}/SplmtryData[1]/Envlp`,
    ])
    expect(refused(data('')).codes).toEqual([`envelope_content@${T8}/SplmtryData[1]/Envlp`])
  })

  it('accepts a message with every kind of element', () => {
    const address =
      '<PstlAdr><AdrTp><Cd>BIZZ</Cd></AdrTp><StrtNm>Main</StrtNm><TwnNm>Bern</TwnNm><Ctry>CH</Ctry></PstlAdr>'
    accepted(
      pacs008({
        groupRest:
          '<CtrlSum>100.10</CtrlSum><TtlIntrBkSttlmAmt Ccy="EUR">100.100</TtlIntrBkSttlmAmt><IntrBkSttlmDt>2026-03-02</IntrBkSttlmDt>',
        IntrBkSttlmDt: '<InstdAmt Ccy="EUR">100.10</InstdAmt>',
        groupEnd: '<PmtTpInf><InstrPrty>HIGH</InstrPrty><SvcLvl><Cd>G001</Cd></SvcLvl></PmtTpInf>',
        agents:
          '<ChrgsInf><Amt Ccy="EUR">0</Amt><Agt><FinInstnId><LEI>529900T8BM49AURSDO55</LEI></FinInstnId></Agt></ChrgsInf>',
        Dbtr: `<Dbtr><Nm>A</Nm>${address}<Id><PrvtId><DtAndPlcOfBirth><BirthDt>1970-01-31</BirthDt><CityOfBirth>Bern</CityOfBirth><CtryOfBirth>CH</CtryOfBirth></DtAndPlcOfBirth></PrvtId></Id><CtctDtls><PhneNb>+41-313333333</PhneNb></CtctDtls></Dbtr>`,
        end:
          '<Purp><Cd>SALA</Cd></Purp><RgltryRptg><DbtCdtRptgInd>BOTH</DbtCdtRptgInd></RgltryRptg><RmtInf><Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>CINV</Cd>' +
          '</CdOrPrtry></Tp><Nb>1</Nb></RfrdDocInf><RfrdDocAmt><DuePyblAmt Ccy="EUR">1.5</DuePyblAmt></RfrdDocAmt></Strd></RmtInf>',
      }),
    )
  })
})
