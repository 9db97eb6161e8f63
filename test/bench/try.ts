import { benchStakingCosts } from './worst/staking.js'

for (const one of await benchStakingCosts())
  console.log(one.name, one.transactions, one.approved, one.teu, one.microsPerTeu.toFixed(3), one.blockMs.toFixed(1))
