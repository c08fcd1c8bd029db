import { foldText } from '../../../../shared/bot/fold-text'
import { when, type Check } from './account'

/** Done to whatever there is: "orders were placed" says no more than that there are orders. */
const SAYS_NOTHING =
  /^(?:placed|made|created|received|recorded|registered|given|taken|submitted|issued|added|total|name|date|type)$/
/** "How many guests came", where that is how a booking may stand: a word that no rule has read, and a value of these rows. */
export const checkStates: Check = ({ context: { ask, home }, facts }) => {
  const said = new Set(facts.texts.map((text) => foldText(text)))
  const words = ask.rest.split(' ').filter((word) => word.length >= 4 && !SAYS_NOTHING.test(word))
  return home.columns.flatMap(({ isText, source: { values = [] } }) =>
    isText && values.length <= 12
      ? values.flatMap((value) =>
          when(
            typeof value === 'string' && words.includes(foldText(value)) && !said.has(foldText(value)),
            `“${String(value)}” is not asked for`,
          ),
        )
      : [],
  )
}
