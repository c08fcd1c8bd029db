import type { Database } from '../../db/database'
import {
  NOTIFICATION_DEFAULTS,
  type NotificationSettings,
  type Profile,
  type ProfileChanges,
} from '../../shared/account'
import { picturePath } from '../../shared/pictures'
import { GOALS } from '../../shared/workspaces/workspaces'
import type { OnboardingStep } from '../../shared/session'

interface ProfileRow extends Pick<Profile, 'name' | 'email' | 'locale'> {
  job: string | null
  /** JSON. */
  goals: string
  notifications: string
  avatarKey: string | null
}

/** One person's own row. */
export const profileStore = ({ d1 }: Database, userId: string) => ({
  async get(): Promise<Profile | null> {
    const row = await d1
      .prepare('SELECT name, email, job, goals, locale, notifications, avatar_key AS avatarKey FROM users WHERE id = ?')
      .bind(userId)
      .first<ProfileRow>()
    if (!row) return null
    const goals: string[] = JSON.parse(row.goals)
    const notifications: Partial<NotificationSettings> = JSON.parse(row.notifications)
    return {
      name: row.name,
      email: row.email,
      locale: row.locale,
      job: row.job ?? '',
      goals: GOALS.filter((goal) => goals.includes(goal)),
      notifications: { ...NOTIFICATION_DEFAULTS, ...notifications },
      avatar: picturePath(row.avatarKey),
    }
  },

  /** Changes what is given and nothing else, whatever was saved meanwhile; a name ends the profile step of onboarding. */
  update: ({ name, job, goals, locale, notifications }: ProfileChanges): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE users SET name = COALESCE(?2, name), job = CASE WHEN ?3 IS NULL THEN job ELSE NULLIF(?3, '') END,
           goals = COALESCE(?4, goals), locale = CASE WHEN ?5 THEN ?6 ELSE locale END,
           notifications = json_patch(notifications, ?7),
           onboarding = CASE WHEN ?2 IS NOT NULL AND onboarding = 'profile' THEN 'source' ELSE onboarding END WHERE id = ?1`,
      )
      .bind(
        ...[userId, name ?? null, job ?? null, goals ? JSON.stringify(goals) : null],
        ...[locale === undefined ? 0 : 1, locale ?? null, JSON.stringify(notifications ?? {})],
      ),

  /** Changes no row while the workspace step, the only one that cannot be skipped, is not done. */
  setOnboardingStep: (step: OnboardingStep): D1PreparedStatement =>
    d1.prepare("UPDATE users SET onboarding = ?2 WHERE id = ?1 AND onboarding <> 'workspace'").bind(userId, step),
})
