/* dates.c: dates and times as text, and as days since 1970-01-01. */
#include "data/dates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- The calendar --------------------------------------------------------------------------- */

static bool leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_length(int year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return lengths[month - 1] + (month == 2 && leap(year));
}

/* Years that begin in March have their leap day at the end. */
static long days_of(int year, int month, int day)
{
    const long y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;
    const long era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    const long of_year = (153 * m + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_of(long days, long *year, long *month, long *day)
{
    days += 719468;
    const long era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
    const long y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const long of_year = of_era - (365 * y + y / 4 - y / 100), m = (5 * of_year + 2) / 153;
    *day = of_year - (153 * m + 2) / 5 + 1;
    *month = m < 10 ? m + 3 : m - 9;
    *year = y + era * 400 + (*month <= 2);
}

static bool valid(int year, int month, int day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= month_length(year, month);
}

/* ---- From text ------------------------------------------------------------------------------ */

/* A number of low to high digits; returns how many, or 0. */
static int digits(const char **at, int *value, int low, int high)
{
    int count = 0;
    *value = 0;
    while (count < high && (*at)[count] >= '0' && (*at)[count] <= '9') {
        *value = *value * 10 + ((*at)[count++] - '0');
    }
    if (count < low || ((*at)[count] >= '0' && (*at)[count] <= '9')) return 0;
    *at += count;
    return count;
}

/* "Z", "+02:00", "+0200", "+02": as days to add to reach UTC. */
static bool zone(const char **at, double *shift)
{
    *shift = 0;
    if (**at == 'Z') {
        ++*at;
        return true;
    }
    const char sign = **at;
    if (sign != '+' && sign != '-') return true;
    int hours = 0, minutes = 0;
    const char *p = *at + 1;
    for (int i = 0; i < 2; i++, p++) {
        if (*p < '0' || *p > '9') return false;
        hours = hours * 10 + (*p - '0');
    }
    if (*p == ':') p++;
    if (*p >= '0' && *p <= '9' && !digits(&p, &minutes, 2, 2)) return false;
    *shift = (sign == '+' ? -1 : 1) * (hours * 60 + minutes) / 1440.0;
    *at = p;
    return hours <= 14 && minutes < 60;
}

/* "17:30", "17:30:05", "17:30:05.25", and a zone; the whole rest of the text. */
static bool time_of_day(const char *at, double *days)
{
    int hour, minute, second = 0;
    double fraction = 0, shift = 0;
    if (!digits(&at, &hour, 1, 2) || *at++ != ':' || !digits(&at, &minute, 2, 2)) return false;
    if (*at == ':') {
        at++;
        if (!digits(&at, &second, 2, 2)) return false;
        if (*at == '.' || *at == ',') {
            double unit = 1;
            for (at++; *at >= '0' && *at <= '9'; at++) fraction += (unit /= 10) * (*at - '0');
        }
    }
    if (*at == ' ') at++;
    if (!zone(&at, &shift) || *at) return false;
    if (hour > 24 || minute > 59 || second > 60) return false;
    *days = (hour * 3600 + minute * 60 + second + fraction) / 86400.0 + shift;
    return true;
}

/* Two digits of a year, as POSIX reads them. */
static int full_year(int year, int length)
{
    if (length > 2) return year;
    return year < 69 ? 2000 + year : 1900 + year;
}

/* Three numbers with the same separator; lengths: digits of the first and last. */
static bool three_numbers(const char **at, int values[3], int lengths[3], char *separator)
{
    lengths[0] = digits(at, &values[0], 1, 4);
    *separator = **at;
    if (!lengths[0] || !strchr("-/.", *separator) || !*separator) return false;
    ++*at;
    lengths[1] = digits(at, &values[1], 1, 2);
    if (!lengths[1] || **at != *separator) return false;
    ++*at;
    lengths[2] = digits(at, &values[2], 1, 4);
    return lengths[2] > 0;
}

/* The order of the parts; '\0': none is possible. */
static char find_order(const int v[3], const int lengths[3], int *year, char separator)
{
    if (lengths[0] == 4) {
        *year = v[0];
        return lengths[2] <= 2 && valid(v[0], v[1], v[2]) ? 'Y' : '\0';
    }
    if ((lengths[2] != 4 && lengths[2] != 2) || lengths[0] > 2) return '\0';
    *year = full_year(v[2], lengths[2]);
    const bool day_first = valid(*year, v[1], v[0]), month_first = valid(*year, v[0], v[1]);
    if (separator == '.') return day_first ? 'D' : '\0';
    if (day_first && month_first) return '?';
    return day_first ? 'D' : month_first ? 'M' : '\0';
}

bool ecc_date_parse(struct ecc_date *date, const char *text)
{
    int v[3], lengths[3], year;
    char separator;
    double time = 0;
    const char *at = text;
    *date = (struct ecc_date){0};
    if (*text < '0' || *text > '9') return false;
    if (!three_numbers(&at, v, lengths, &separator)) {
        date->order = 'h';
        date->timed = true;
        return time_of_day(text, &date->days);
    }
    date->order = find_order(v, lengths, &year, separator);
    if (!date->order) return false;
    date->timed = *at != '\0';
    if (date->timed && (!strchr("T ", *at) || !time_of_day(at + 1, &time))) return false;
    const char order = date->order;
    date->days = (double)(order == 'Y'   ? days_of(year, v[1], v[2])
                          : order == 'D' ? days_of(year, v[1], v[0])
                                         : days_of(year, v[0], v[1])) +
                 time;
    if (order == '?') date->swapped = (double)days_of(year, v[1], v[0]) + time;
    return true;
}

/* ---- To text -------------------------------------------------------------------------------- */

void ecc_date_write(char *text, size_t size, double days, const struct ecc_column *column)
{
    const double lowest = -719528, highest = 2932896; /* the years 0 to 9999 */
    days = days < lowest ? lowest : days > highest ? highest : days;
    const bool time_only = column->date_order == 'h';
    if (column->decimals == 0 && !time_only) days = round(days);
    double seconds = round(days * 86400);
    const long day = (long)floor(seconds / 86400);
    const long rest = (long)(seconds - (double)day * 86400);
    long year, month, of_month;
    date_of(day, &year, &month, &of_month);
    char date[40] = "", time[40] = "";
    if (!time_only) snprintf(date, sizeof date, "%04ld-%02ld-%02ld", year, month, of_month);
    if (time_only || column->decimals > 0) {
        snprintf(time, sizeof time, "%s%02ld:%02ld:%02ld", time_only ? "" : " ", rest / 3600,
                 rest / 60 % 60, rest % 60);
    }
    snprintf(text, size, "%s%s", date, time);
}
