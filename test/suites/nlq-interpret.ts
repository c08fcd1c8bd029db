import type { Interpret } from '../../src/features/bot/model/contract'

const found = import.meta.glob<{ interpret: Interpret }>('../../src/features/bot/model/interpret.ts', { eager: true })

/** The rules engine of this tree. @throws Error while there is none */
export const interpret: Interpret = (input) => {
  const [engine] = Object.values(found)
  if (!engine) throw new Error('there is no rules engine')
  return engine.interpret(input)
}
