import { when, type Check } from './account'

const BETTERED =
  /(?<=^| )(?:improve(?:d|s|ment|ments)?|improving|worsen(?:ed|s|ing)?|deteriorat(?:e|ed|es|ing|ion)|(?:got|gets|get|gotten|become|became|becomes) (?:better|worse)|forbattr\w*|forsamr\w*|(?:blivit|blev|blir) (?:battre|samre))(?= |$)/
/**
 * "Which course has improved the most": one figure less another, or beside that of another time, and which of the two
 * is better. A plan with neither says nothing of it; a heading that is called so is no plain word here.
 */
export const checkBetterments: Check = ({ source, plan, facts }) =>
  when(
    BETTERED.test(source) &&
      (plan.period?.compare ?? 'none') === 'none' &&
      !/"op":"subtract"|"kind":"change"/.test(facts.text),
    'what became better or worse',
  )
