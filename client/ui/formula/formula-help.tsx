import { Anchor, Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId } from 'react'
import { FORMULA_RULES, FUNCTION_GROUPS } from '../../../src/shared/formula/functions'
import { functionsFor, signatureOf, type FormulaOf } from './formula-completions'
import classes from './formula-input.module.css'

interface FormulaHelpProps {
  of: FormulaOf
  /** Puts a function at the caret. */
  onInsert: (text: string) => void
}

/** Every function with what it takes, what it does and an example; chosen, it stands in the formula. */
export function FormulaHelp({ of, onInsert }: FormulaHelpProps) {
  const [opened, { toggle }] = useDisclosure(false)
  const id = useId()
  const all = functionsFor(of)
  return (
    <div>
      <Anchor
        {...{ component: 'button', type: 'button', size: 'sm' }}
        onClick={toggle}
        aria-expanded={opened}
        aria-controls={id}
      >
        {opened ? 'Hide functions' : 'Show functions'}
      </Anchor>
      <Collapse expanded={opened} id={id}>
        <div className={classes.help} role="region" aria-label="Functions" tabIndex={0}>
          {FUNCTION_GROUPS.map(({ place, title }) => {
            const functions = all.filter((one) => one.place === place)
            if (functions.length === 0) return null
            return (
              <section key={place}>
                <Text size="sm" fw={600} mt="xs">
                  {title}
                </Text>
                <ul className={classes.functions}>
                  {functions.map((one) => (
                    <li key={`${one.place} ${one.name}`}>
                      <UnstyledButton className={classes.function} onClick={() => onInsert(`${one.name}(`)}>
                        <code>{signatureOf(one)}</code>
                        <span>{one.summary}</span>
                        <code className={classes.example}>{one.example}</code>
                      </UnstyledButton>
                    </li>
                  ))}
                </ul>
              </section>
            )
          })}
          <section>
            <Text size="sm" fw={600} mt="xs">
              Rules
            </Text>
            <ul className={classes.rules}>
              {FORMULA_RULES.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
          </section>
        </div>
      </Collapse>
    </div>
  )
}
