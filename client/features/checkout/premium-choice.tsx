import { Radio, Stack, Text } from '@mantine/core'
import classes from './checkout.module.css'
import { addOnList } from './choice'
import { PriceText } from './plan-choice'
import type { PlanPickerProps } from './plan-choice'
import { SectionCard } from '../../ui/section-card'
import { PREMIUM_SYNC_ADD_ONS } from '../../../src/shared/add-ons'

const NONE = 'none'

/** Hourly sync beside an older tier: none, or one size. */
export function PremiumSyncPicker({ choice, onChoose }: Omit<PlanPickerProps, 'view'>) {
  const chosen = addOnList(choice.addOns)[0]?.id ?? NONE
  const pick = (text: string) => {
    const size = PREMIUM_SYNC_ADD_ONS.find(({ id }) => id === text)
    onChoose({ ...choice, addOns: size ? { [size.id]: 1 } : {} })
  }
  return (
    <SectionCard title="Premium sync" description="Sources are synced every hour. Paid in euro, beside the older tier.">
      <Radio.Group label="Premium sync" labelProps={{ className: 'only-reader' }} value={chosen} onChange={pick}>
        <Stack gap={8}>
          <Radio value={NONE} label="None" />
          {PREMIUM_SYNC_ADD_ONS.map(({ id, name, prices }) => (
            <Radio
              key={id}
              value={id}
              label={
                <>
                  {name} <PriceText price={prices[choice.interval]} choice={choice} />
                </>
              }
              classNames={{ body: classes.wide ?? '', labelWrapper: classes.wide ?? '', label: classes.spread ?? '' }}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed" className={classes.note}>
        One per workspace.
      </Text>
    </SectionCard>
  )
}
