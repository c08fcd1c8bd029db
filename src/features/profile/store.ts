import { eq } from 'drizzle-orm'
import type { Database } from '../../db/database'
import { users } from '../../db/schema'
import { NOTIFICATION_DEFAULTS } from '../../shared/account'
import type { Profile } from '../../shared/account'
import { picturePath } from '../../shared/pictures'
import { GOALS } from '../../shared/workspaces'
import type { OnboardingStep } from '../../shared/session'

/** One person's own row. */
export const profileStore = ({ orm, d1 }: Database, userId: string) => ({
  async get(): Promise<Profile | null> {
    const row = await orm
      .select({
        name: users.name,
        email: users.email,
        job: users.job,
        goals: users.goals,
        locale: users.locale,
        notifications: users.notifications,
        avatarKey: users.avatarKey,
      })
      .from(users)
      .where(eq(users.id, userId))
      .get()
    if (!row) return null
    const { avatarKey, job, goals, notifications, ...rest } = row
    return {
      ...rest,
      job: job ?? '',
      goals: GOALS.filter((goal) => goals.includes(goal)),
      notifications: { ...NOTIFICATION_DEFAULTS, ...notifications },
      avatar: picturePath(avatarKey),
    }
  },

  /** Saving the profile ends the profile step of onboarding. */
  update: (next: Omit<Profile, 'email' | 'avatar'>): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE users SET name = ?2, job = ?3, goals = ?4, locale = ?5, notifications = ?6,
           onboarding = CASE onboarding WHEN 'profile' THEN 'source' ELSE onboarding END WHERE id = ?1`,
      )
      .bind(
        ...[userId, next.name, next.job === '' ? null : next.job, JSON.stringify(next.goals), next.locale],
        JSON.stringify(next.notifications),
      ),

  /** Changes no row while the workspace step, the only one that cannot be skipped, is not done. */
  setOnboardingStep: (step: OnboardingStep): D1PreparedStatement =>
    d1.prepare("UPDATE users SET onboarding = ?2 WHERE id = ?1 AND onboarding <> 'workspace'").bind(userId, step),
})
