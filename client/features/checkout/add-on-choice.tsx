import { ActionIcon, Group, NumberInput, Switch, Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import classes from './checkout.module.css'
import { compatibleAddOns, maxQuantityOf } from './choice'
import { PriceText } from './plan-choice'
import type { PlanPickerProps } from './plan-choice'
import { SectionCard } from '../../ui/section-card'
import { ADD_ONS } from '../../../src/shared/add-ons'
import type { AddOn } from '../../../src/shared/add-ons'

/** How many of each add-on; one that a workspace can hold once is a switch. */
export function AddOnPicker({ choice, onChoose }: Omit<PlanPickerProps, 'view'>) {
  const set = ({ id }: AddOn, count: number) =>
    onChoose({ ...choice, addOns: compatibleAddOns(choice.planId, { ...choice.addOns, [id]: count }) })
  return (
    <SectionCard title="Add-ons" description="Each can be added or taken away later.">
      <ul className={classes.lines}>
        {ADD_ONS.map((addOn) => (
          <li key={addOn.id} className={classes.line}>
            <div className={classes.lineWords}>
              <Text fw={550}>{addOn.name}</Text>
              <Text size="sm" c="dimmed">
                {addOn.description}
              </Text>
            </div>
            <div className={classes.lineEnd}>
              <PriceText price={addOn.prices[choice.interval]} choice={choice} />
              {addOn.onePerWorkspace ? (
                // A class on the switch itself would widen its hidden input as well.
                <div className={classes.count}>
                  <Switch
                    aria-label={addOn.name}
                    checked={(choice.addOns[addOn.id] ?? 0) > 0}
                    onChange={(event) => set(addOn, event.currentTarget.checked ? 1 : 0)}
                  />
                </div>
              ) : (
                <QuantityStepper
                  addOn={addOn}
                  value={choice.addOns[addOn.id] ?? 0}
                  onChange={(count) => set(addOn, count)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}

function QuantityStepper({
  addOn,
  value,
  onChange,
}: {
  addOn: AddOn
  value: number
  onChange: (count: number) => void
}) {
  const maxQuantity = maxQuantityOf(addOn.id)
  const step = (by: number) => onChange(Math.min(maxQuantity, Math.max(0, value + by)))
  return (
    <Group gap={4} wrap="nowrap" className={classes.count}>
      <ActionIcon
        variant="default"
        size={32}
        aria-label={`One less: ${addOn.name}`}
        disabled={value === 0}
        onClick={() => step(-1)}
      >
        <IconMinus size={16} aria-hidden />
      </ActionIcon>
      <NumberInput
        aria-label={`How many: ${addOn.name}`}
        value={value}
        min={0}
        max={maxQuantity}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        hideControls
        w={52}
        onChange={(count) => onChange(typeof count === 'number' ? Math.trunc(count) : 0)}
        styles={{ input: { textAlign: 'center', paddingInline: 4 } }}
      />
      <ActionIcon
        variant="default"
        size={32}
        aria-label={`One more: ${addOn.name}`}
        disabled={value >= maxQuantity}
        onClick={() => step(1)}
      >
        <IconPlus size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
