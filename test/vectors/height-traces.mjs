// Writes test/vectors/height-traces.json.gz: traces of docs/spec/height.qnt by Quint 0.33.1, for `npm test`, which has no Quint.
//   npm run spec -- --only height --traces 10 --seed 21 --write traces && node test/vectors/height-traces.mjs traces
// Variables that the comparison does not read (the disk, crashes) are left out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const LEFT_OUT = /::(?:disk|crashes)$/
const [folder] = process.argv.slice(2)
const traces = readdirSync(folder)
  .sort()
  .map((name) => {
    const { vars, states } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const kept = states.map((state) => Object.fromEntries(Object.entries(state).filter(([key]) => !LEFT_OUT.test(key))))
    return { vars: vars.filter((one) => !LEFT_OUT.test(one)), states: kept }
  })
const target = new URL('height-traces.json.gz', import.meta.url)
writeFileSync(target, gzipSync(JSON.stringify(traces), { level: 9 }))
console.log(`${traces.length} traces`)
